/**
 * A bot on WatchPrice: says when 1 ETH pays at least so many USDH, and ends.
 *
 *   TRIBUTARY_API_KEY=… npm exec -- node examples/price-alarm.ts 2000
 */
import { createGrpcTransport } from "../src/client/grpc-transport.ts";
import { createSwapClient, NATIVE_TOKEN, SwapCallError, toBaseUnits, toDecimal } from "../src/client/index.ts";

const { TRIBUTARY_URL = "http://127.0.0.1:8080", TRIBUTARY_API_KEY = "" } = process.env;

const tributary = createSwapClient({ transport: createGrpcTransport(TRIBUTARY_URL), apiKey: TRIBUTARY_API_KEY });
const { tokens } = (await (await fetch(`${TRIBUTARY_URL}/tokens.json`)).json()) as {
  tokens: { address: string; symbol: string; decimals: number }[];
};
const token = tokens.find(({ symbol }) => symbol === "USDH");
const wanted = token && toBaseUnits(process.argv[2] ?? "", token.decimals);
if (token === undefined || wanted === undefined) throw new Error("say how many USDH 1 ETH has to pay, such as 2000");

/** Follows the price until it is good enough; a stream that breaks is opened again. */
async function waitFor(least: bigint, buyToken: string, decimals: number): Promise<void> {
  for (;;) {
    try {
      for await (const update of tributary.watch({ sellToken: NATIVE_TOKEN, buyToken, sellAmount: 10n ** 18n })) {
        if (update.kind === "status") console.log(`no price: ${update.description}`);
        if (update.kind !== "price") continue;
        const { buyAmount, blockNumber } = update.price;
        const isGood = BigInt(buyAmount) >= least;
        console.log(`block ${blockNumber}: ${toDecimal(BigInt(buyAmount), decimals)} USDH${isGood ? ", sell!" : ""}`);
        if (isGood) return;
      }
    } catch (error) {
      if (!(error instanceof SwapCallError) || !error.isRetryable) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000 * (error.retryAfterSeconds ?? 1)));
    }
  }
}

await waitFor(wanted, token.address, token.decimals);
process.exit(0);
