import { expect, test } from "vitest";
import { isConsistent } from "../../../src/pools/concentrated/changes.ts";
import { concentratedMath } from "../../../src/pools/concentrated/math.ts";
import type { ConcentratedState, SwapHook } from "../../../src/pools/concentrated/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { type VectorRecord, vectorsOf } from "../../support/suites/vectors.ts";

/** Another team's answers for pools of Uniswap V4 with hooks, where these are of a model that there is. */

interface ForeignPool {
  readonly tokens: readonly { readonly address: string }[];
  readonly extra: {
    readonly liquidity: string | number;
    readonly sqrtPriceX96: string;
    readonly tickSpacing: number;
    readonly tick: number;
    readonly ticks: readonly Record<"index" | "liquidityGross" | "liquidityNet", string | number>[] | null;
  };
}

/** Fees of hooks by the tests that the records are from: of currency 0 both ways, beside the liquidity's fee. */
const MODELS: Readonly<Record<string, { readonly ppm: number; readonly feePpm: number }>> = {
  "idle/hook_test.go": { ppm: 30_000, feePpm: 3_000 },
  "deli/hook_test.go": { ppm: 3_000, feePpm: 3_000 },
};
/** Other records: curves of the hooks' own, and a fee by how far the price is from a rate. */
const OTHERS = [
  "deli/hook_test.go",
  "bunni-v2/hook_test.go",
  "deli/hook_constant_product_test.go",
  "renzo/hook_test.go",
];

const nameOf = ({ source }: VectorRecord) => source.path.split("/").slice(-2).join("/");

test("hooks that take a fee of one currency pay what the other team says; all others are of no model here", () => {
  let near = 0;
  for (const record of vectorsOf("uniswap-v4-hooks")) {
    const model = MODELS[nameOf(record)];
    if (model === undefined) {
      expect(OTHERS).toContain(nameOf(record));
      continue;
    }
    const pool = record.pool as ForeignPool;
    const state = stateOf(pool, model);
    expect(isConsistent(state)).toBe(true);
    for (const { kind, tokenIn, amountIn, amountOut } of record.swaps) {
      const sell = pool.tokens.findIndex(({ address }) => address === tokenIn);
      expect(kind).toBe("exactIn");
      const quote = concentratedMath.quoteExactIn(state, { sell, buy: 1 - sell }, BigInt(amountIn as string), 0n);
      if (isRejection(quote)) throw new Error(`${nameOf(record)} ${amountIn}: ${quote.rejected}`);
      const off = quote.amount - BigInt(amountOut as string);
      // They take a few base units off each answer, whatever its size.
      expect(off >= 0n && off <= 64n, `${nameOf(record)} ${amountIn}: ${off}`).toBe(true);
      near++;
    }
  }
  process.stdout.write(`${near} answers, all within 64 base units\n`);
  expect(near).toBeGreaterThan(0);
});

function stateOf({ extra }: ForeignPool, { ppm, feePpm }: (typeof MODELS)[string]): ConcentratedState {
  const hook: SwapHook = { charges: "token0", token0InPpm: [ppm], token1InPpm: [ppm], gas: 0 };
  const ticks = (extra.ticks ?? []).map(({ index, liquidityGross, liquidityNet }) => ({
    ...{ index: Number(index), liquidityGross: BigInt(liquidityGross), liquidityNet: BigInt(liquidityNet) },
  }));
  const { tick, tickSpacing } = extra;
  const place = { sqrtPriceX96: BigInt(extra.sqrtPriceX96), liquidity: BigInt(extra.liquidity), tick, tickSpacing };
  return { ...place, feePpm, ticks, hook };
}
