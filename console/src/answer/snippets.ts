import type { SwapRequest } from "../../../src/client/index.ts";

/** A request as something to paste. The key stays out of it: whoever pastes has it in TRIBUTARY_API_KEY. */
export const SNIPPETS: Readonly<Record<string, (request: SwapRequest, origin: string) => string>> = {
  curl(request, origin) {
    const query = new URLSearchParams(plain(request).map(([name, value]) => [name, String(value)]));
    return `curl -s -H "api-key: $TRIBUTARY_API_KEY" '${origin}/swap/v1/price?${query}'`;
  },
  "buf curl"(request, origin) {
    const message = Object.fromEntries(plain(request));
    const json = JSON.stringify(message).replaceAll("'", "'\\''");
    return `buf curl --protocol grpc --http2-prior-knowledge -H "api-key: $TRIBUTARY_API_KEY" -d '${json}' ${origin}/swap.v1.SwapService/GetPrice`;
  },
  TypeScript(request, origin) {
    const fields = plain(request).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`);
    return [
      'import { createSwapClient, createWebTransport } from "@tributary/client";',
      "",
      "const client = createSwapClient({",
      `  transport: createWebTransport("${origin}"),`,
      '  apiKey: process.env.TRIBUTARY_API_KEY ?? "",',
      "});",
      "const price = await client.price({",
      ...fields,
      "});",
      "console.log(price.buyAmount, price.sellAmount);",
    ].join("\n");
  },
};

/** Parameters that are set, with amounts as text. */
function plain(request: SwapRequest): [string, string | boolean | readonly string[]][] {
  const given: [string, string | boolean | readonly string[]][] = [];
  for (const [name, value] of Object.entries(request)) {
    if (value !== undefined) given.push([name, typeof value === "bigint" ? value.toString() : value]);
  }
  return given;
}
