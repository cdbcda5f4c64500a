/**
 * A back end's view over gRPC: what 1 ETH is worth in every token of the list, one connection for all calls.
 *
 *   TRIBUTARY_API_KEY=… npm exec -- node examples/price-table.ts
 */
import { createGrpcTransport } from "../src/client/grpc-transport.ts";
import {
  createSwapClient,
  NATIVE_TOKEN,
  type Price,
  SwapCallError,
  type SwapRequest,
  toDecimal,
} from "../src/client/index.ts";

const { TRIBUTARY_URL = "http://127.0.0.1:8080", TRIBUTARY_API_KEY = "" } = process.env;
const ATTEMPTS = 3;

const tributary = createSwapClient({ transport: createGrpcTransport(TRIBUTARY_URL), apiKey: TRIBUTARY_API_KEY });

/** A price; what may pass is tried again after as long as the service asks for. */
async function priceOf(request: SwapRequest): Promise<Price> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tributary.price(request, { timeoutMs: 5_000 });
    } catch (error) {
      if (!(error instanceof SwapCallError) || !error.isRetryable || attempt === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000 * (error.retryAfterSeconds ?? attempt)));
    }
  }
}

const { tokens } = (await (await fetch(`${TRIBUTARY_URL}/tokens.json`)).json()) as {
  tokens: { address: string; symbol: string; decimals: number }[];
};
const rows = await Promise.all(
  tokens
    .filter(({ address }) => address.toLowerCase() !== NATIVE_TOKEN)
    .map(async ({ address, symbol, decimals }) => {
      try {
        const price = await priceOf({ sellToken: NATIVE_TOKEN, buyToken: address, sellAmount: 10n ** 18n });
        return `${symbol.padEnd(6)} ${toDecimal(BigInt(price.buyAmount), decimals).padStart(28)}  block ${price.blockNumber}`;
      } catch (error) {
        if (!(error instanceof SwapCallError)) throw error;
        return `${symbol.padEnd(6)} ${error.reason}`;
      }
    }),
);
console.log(rows.join("\n"));
process.exit(0);
