import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createGrpcTransport } from "../../../src/client/grpc-transport.ts";
import { createSwapClient } from "../../../src/client/index.ts";
import { compose, type Service } from "../../../src/compose/serve.ts";
import type { Token } from "../../../src/domain/token.ts";
import { readConfig } from "../../../src/ops/config.ts";
import { createLogger } from "../../../src/ops/logger.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const KEY = "key-of-the-refused";
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const HUGE = (10n ** 40n).toString();

interface Body {
  readonly validationErrors?: readonly {
    readonly field: string;
    readonly reason: string;
    readonly description: string;
  }[];
}

let service: Service;
let folder: string;
let sources: readonly { readonly name: string; readonly kind: string; readonly exactOut: boolean }[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "refusals-"));
  const own = { PORT: "0", DEVNET_PORT: "0", TRIBUTARY_API_KEY: KEY, DATA_DIR: folder };
  service = await compose(readConfig(own), createLogger("silent"));
  await service.ready;
  ({ sources } = (await ask("sources", {})).body as unknown as { sources: typeof sources });
});
afterAll(async () => {
  await service?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

async function ask(path: string, query: Record<string, string>) {
  const url = `${service.url}/swap/v1/${path}?${new URLSearchParams(query)}`;
  const response = await fetch(url, { headers: { "api-key": KEY } });
  return { status: response.status, body: (await response.json()) as Body };
}

/** Refusal of a request for a pair of one source; undefined if it is served. */
async function refusalOf(source: string, [sell, buy]: Pair, amount: Record<string, string>) {
  const query = { sellToken: sell.address, buyToken: buy.address, includedSources: source, ...amount };
  const { status, body } = await ask("price", query);
  if (status === 200) return undefined;
  expect(status, JSON.stringify(body)).toBe(400);
  return body.validationErrors?.[0];
}

type Pair = readonly [sell: Token, buy: Token];

/** A pair that the pools of one source trade, with no other's help, of as many decimals as it has. */
const PAIRS: Readonly<Record<string, readonly [sell: string, buy: string]>> = {
  Algebra: ["WETH", "DAM"],
  Balancer_V2: ["WETH", "LOCK"],
  Balancer_V3: ["WETH", "LOCK"],
  Balancer_V3_Buffers: ["vUSDH", "USDH"],
  Curve: ["DSD", "3RIV"],
  Curve_Crypto: ["WETH", "DAM"],
  ERC4626: ["USDH", "vUSDH"],
  Infinity_CL: ["WETH", "USDH"],
  LFJ_V2_2: ["WETH", "USDH"],
  PSM: ["USDH", "DSD"],
  PancakeSwap_V2: ["WETH", "DSD"],
  PancakeSwap_V3: ["WETH", "LOCK"],
  Rate_Tokens: ["LOCK", "wLOCK"],
  Slipstream: ["WETH", "DSD"],
  Uniswap_V2: ["WETH", "DSD"],
  Uniswap_V3: ["WETH", "DSD"],
  Uniswap_V4: ["WETH", "DSD"],
  Velodrome_V2: ["WETH", "DSD"],
};

function pairOf(source: string): Pair {
  return PAIRS[source]!.map((symbol) => service.tokens().find((token) => token.symbol === symbol)!) as unknown as Pair;
}

const shown = ({ symbol, address }: Pick<Token, "symbol" | "address">) => `${symbol} (${address.toLowerCase()})`;

describe("a refusal", () => {
  it("names side, token, source and bound of every venue, in base units and in whole tokens", async () => {
    const seen = { little: 0, much: 0, minimum: 0 };
    for (const { name, kind, exactOut } of sources) {
      if (name === "Wrapped_Native" || kind === "maker" || kind === "rfq") continue;
      const [sell, buy] = pairOf(name);
      for (const [field, token, side, tokens] of [
        ["sellAmount", sell, "sold", `the sold token ${shown(sell)} for ${shown(buy)}`],
        ["buyAmount", buy, "bought", `the bought token ${shown(buy)} with ${shown(sell)}`],
      ] as const) {
        if (field === "buyAmount" && !exactOut) continue;
        const little = await refusalOf(name, [sell, buy], { [field]: "1" });
        if (little !== undefined && little.reason !== "INSUFFICIENT_ASSET_LIQUIDITY") {
          const reason = side === "sold" ? "SELL_AMOUNT_TOO_SMALL" : "BUY_AMOUNT_TOO_SMALL";
          expect(little).toMatchObject({ field, reason });
          expect(little.description).toMatch(
            new RegExp(`^(selling|buying) 1 base unit \\([0-9.]+ ${token.symbol}\\) of `),
          );
          expect(little.description).toContain(tokens);
          expect(little.description).toMatch(
            new RegExp(`: ${name} \\(pool 0x[0-9a-f]+\\) .* \\d+ base units? \\([0-9.]+ `),
          );
          expect(little.description).toMatch(new RegExp(`; send a larger ${field}$`));
          seen.little += 1;
          if (little.description.includes("no less than")) seen.minimum += 1;
        }
        // A pair of constant product takes any amount.
        const much = await refusalOf(name, [sell, buy], { [field]: HUGE });
        if (much === undefined && field === "sellAmount") continue;
        if (much?.description.includes("cannot be asked for an exact buyAmount")) continue;
        expect(much).toMatchObject({ field, reason: "INSUFFICIENT_ASSET_LIQUIDITY" });
        expect(much?.description).toContain(`${HUGE} base units (`);
        expect(much?.description).toContain(tokens);
        expect(much?.description, name).toMatch(
          new RegExp(`; send a (smaller ${field}|${field} of at most \\d+ base units \\([0-9.]+ ${token.symbol}\\))`),
        );
        seen.much += 1;
      }
    }
    expect(seen.little).toBeGreaterThan(4);
    expect(seen.minimum).toBeGreaterThan(1);
    expect(seen.much).toBeGreaterThan(14);
  });

  it("tells Balancer's own minimum as what it is, on either side, and an amount of that much is served", async () => {
    const pair = pairOf("Balancer_V3");
    const [sell, buy] = pair;
    for (const [field, token] of [
      ["sellAmount", sell],
      ["buyAmount", buy],
    ] as const) {
      const refused = await refusalOf("Balancer_V3", pair, { [field]: "1" });
      const bound = /no less than (\d+) base units? \([0-9.]+ \w+\) of (\w+) \(/.exec(refused!.description);
      const verb = field === "sellAmount" ? "takes" : "pays";
      expect([bound?.[2], refused?.description.includes(` ${verb} no less than `)]).toEqual([token.symbol, true]);
      const least = BigInt(bound![1]!);
      const below = await refusalOf("Balancer_V3", pair, { [field]: String(least - 1n) });
      expect(below?.description).toContain("no less than");
    }
  });

  it("is told alike over gRPC", async () => {
    const [sell, buy] = pairOf("Balancer_V3");
    const request = {
      sellToken: sell.address,
      buyToken: buy.address,
      buyAmount: "1",
      includedSources: ["Balancer_V3"],
    };
    const { description } = (await refusalOf("Balancer_V3", [sell, buy], { buyAmount: "1" }))!;
    const client = createSwapClient({ transport: createGrpcTransport(service.url), apiKey: KEY });
    await expect(client.price(request)).rejects.toThrow(description);
  });

  it("tells the limit on price impact with what was to be traded", async () => {
    const usd = service.tokens().find(({ symbol }) => symbol === "USDH")!;
    const query = { sellToken: NATIVE, buyToken: usd.address, sellAmount: String(10n ** 20n), skipValidation: "true" };
    const { body } = await ask("quote", { ...query, priceImpactProtectionPercentage: "0.0001" });
    const [impact] = body.validationErrors ?? [];
    expect(impact).toMatchObject({ field: "sellAmount", reason: "PRICE_IMPACT_TOO_HIGH" });
    expect(impact?.description).toContain(
      "of selling 100000000000000000000 base units (100 ETH) of the sold token ETH",
    );
  });
});
