import { describe, expect, test } from "vitest";
import { mathOf } from "../../src/pools/pool.ts";
import { isRejection } from "../../src/pools/pool-math.ts";
import { metapoolOf, onchainMetapools } from "../support/suites/onchain-metapools.ts";
import {
  composableStablePoolOf,
  concentratedPoolOf,
  constantProductPoolOf,
  cryptoswapPoolOf,
  type OnchainPool,
  type OnchainRecord,
  onchainVectorsOf,
  solidlyPoolOf,
  stableswapPoolOf,
  weightedPoolOf,
  weightedV3PoolOf,
} from "../support/suites/onchain-vectors.ts";

/** Results of a family's swaps. */
interface Tally {
  /** Our number is the contract's, to the unit. */
  equal: number;
  /** Curve's first pool: `get_dy` rounds before the fee, `exchange`, which is what we answer, after it. One unit less. */
  unitLess: number;
  /** Both refuse, or the contract pays nothing, or fills a part of more than there is. */
  refused: number;
  /** Pools that the product does not serve, and trades of a base pool's coins, which it routes over both pools. */
  left: number;
}

function compare(record: OnchainRecord, { pool, names, time }: OnchainPool, tally: Tally): void {
  const math = mathOf(pool);
  for (const swap of record.swaps) {
    const direction = { sell: names.indexOf(swap.tokenIn), buy: names.indexOf(swap.tokenOut) };
    if (swap.method === "get_dy_underlying") {
      tally.left++;
      continue;
    }
    const exactIn = swap.kind === "exactIn";
    const [given, answer] = exactIn ? [swap.amountIn, swap.amountOut] : [swap.amountOut, swap.amountIn];
    const amount = BigInt(given as string);
    const quote = exactIn
      ? math.quoteExactIn(pool.state, direction, amount, time)
      : math.quoteExactOut(pool.state, direction, amount, time);
    const where = `${record.dex} ${JSON.stringify(swap)}`;
    if (isRejection(quote)) {
      const mayRefuse = swap.error !== undefined || answer === "0" || quote.rejected === "TOO_LARGE";
      expect(mayRefuse, where).toBe(true);
      tally.refused++;
      continue;
    }
    expect(swap.error, where).toBeUndefined();
    const short = BigInt(answer as string) - quote.amount;
    if (swap.method === "get_dy" && short === 1n) tally.unitLess++;
    else {
      expect(short, where).toBe(0n);
      tally.equal++;
    }
  }
}

const NONE: Tally = { equal: 0, unitLess: 0, refused: 0, left: 0 };

describe("answers of the contracts of real chains", () => {
  test.each<[string, (record: OnchainRecord) => OnchainPool | undefined, Partial<Tally>]>([
    ["uniswap-v3", concentratedPoolOf, { equal: 28, refused: 12 }],
    ["uniswap-v4", (record) => concentratedPoolOf(record, true), { equal: 27, refused: 17 }],
    ["aerodrome-cl", concentratedPoolOf, { equal: 14 }],
    ["pancakeswap-v2", constantProductPoolOf, { equal: 11, refused: 1 }],
    ["aerodrome-v2", solidlyPoolOf, { equal: 28 }],
    ["curve-stableswap", stableswapPoolOf, { equal: 6, unitLess: 4 }],
    ["curve-cryptoswap", cryptoswapPoolOf, { equal: 10 }],
    ["balancer-v2-weighted", weightedPoolOf, { equal: 297, refused: 1 }],
    ["balancer-v2-stable", composableStablePoolOf, { equal: 108 }],
    ["balancer-v3", weightedV3PoolOf, { equal: 4, left: 23 }],
  ])("%s", (family, read, expected) => {
    const tally = { ...NONE };
    for (const record of onchainVectorsOf(family)) {
      const known = read(record);
      if (known === undefined) tally.left += record.swaps.length;
      else compare(record, known, tally);
    }
    expect(tally).toEqual({ ...NONE, ...expected });
  });

  test("curve-meta", () => {
    const tally = { ...NONE };
    for (const record of onchainMetapools()) compare(record, metapoolOf(record), tally);
    expect(tally).toEqual({ ...NONE, equal: 52, left: 306 });
  });
});
