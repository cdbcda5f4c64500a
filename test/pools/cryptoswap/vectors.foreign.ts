import { expect, test } from "vitest";
import { cryptoswapMath } from "../../../src/pools/cryptoswap/math.ts";
import type { CryptoswapState } from "../../../src/pools/cryptoswap/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { vectorsOf } from "../../support/suites/vectors.ts";

interface RawPool {
  readonly timestamp: number;
  readonly reserves: readonly string[];
  readonly tokens: readonly { readonly address: string; readonly decimals: number }[];
  readonly extra: Readonly<Record<string, string | number | readonly string[]>>;
}

const records = [...vectorsOf("curve-twocrypto-ng"), ...vectorsOf("curve-tricrypto-ng")];

function read(raw: RawPool): CryptoswapState {
  const number = (name: string) => BigInt(raw.extra[name] as string);
  return {
    balances: raw.reserves.map(BigInt),
    precisions: raw.tokens.map(({ decimals }) => 10n ** BigInt(18 - decimals)),
    priceScale: (raw.extra.PriceScale as readonly string[]).map(BigInt),
    ...{ initialA: number("InitialA"), futureA: number("FutureA") },
    ...{ initialGamma: number("InitialGamma"), futureGamma: number("FutureGamma") },
    ...{ initialTime: number("InitialAGammaTime"), futureTime: number("FutureAGammaTime"), d: number("D") },
    ...{ midFee: number("MidFee"), outFee: number("OutFee"), feeGamma: number("FeeGamma") },
    ...{ virtualPrice: number("VirtualPrice"), supply: number("LpSupply") },
  };
}

/**
 * Every exchange with a pool as it was read is equal to the unit. TestUpdateBalance goes on with a pool that its own
 * exchanges have changed, the internal price among it: we refuse a second exchange, so of those only the first counts
 * (and that of three tokens that the record asks for while nothing has changed yet). Exact outputs cannot be asked for: what
 * the records say goes in for one is sold, and buys that or one unit less.
 */
test("another team's vectors of twocrypto-NG and tricrypto-NG", () => {
  const seen = { equal: 0, refused: 0, exactOut: 0, afterOthers: 0 };
  for (const { pool, swaps, source } of records) {
    const raw = pool as RawPool;
    const state = read(raw);
    const tokens = raw.tokens.map(({ address }) => address);
    for (const [index, swap] of swaps.entries()) {
      if (source.test === "TestUpdateBalance" && swaps.slice(0, index).some(({ error }) => error === undefined)) {
        seen.afterOthers++;
        continue;
      }
      const direction = { sell: tokens.indexOf(swap.tokenIn), buy: tokens.indexOf(swap.tokenOut) };
      const where = `${source.test} ${index} ${JSON.stringify(swap)}`;
      const quote = cryptoswapMath.quoteExactIn(
        state,
        direction,
        BigInt(swap.amountIn as string),
        BigInt(raw.timestamp),
      );
      const wanted = BigInt(swap.amountOut ?? 0);
      if (swap.error !== undefined) {
        expect(isRejection(quote), where).toBe(true);
        seen.refused++;
      } else if (swap.kind === "exactOut") {
        expect(isRejection(quote) ? 0n : wanted - quote.amount, where).toBeLessThanOrEqual(1n);
        expect(isRejection(quote) ? quote.rejected : quote.amount, where).toBeLessThanOrEqual(wanted);
        seen.exactOut++;
      } else {
        expect(isRejection(quote) ? quote.rejected : quote.amount, where).toBe(wanted);
        if (!isRejection(quote)) {
          const again = cryptoswapMath.quoteExactIn(quote.next, direction, wanted, BigInt(raw.timestamp));
          expect(again).toEqual({ rejected: "UNSUPPORTED" });
        }
        seen.equal++;
      }
    }
  }
  expect(seen).toEqual({ equal: 42, refused: 4, exactOut: 2, afterOthers: 24 });
});
