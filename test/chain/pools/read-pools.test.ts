import { expect, it } from "vitest";
import { readFound } from "../../../src/chain/pools/read-pools.ts";
import type { LiquiditySource, PoolRef } from "../../../src/market/liquidity-source.ts";
import { sqrtRatioAtTick } from "../../../src/math/tick-math.ts";
import { concentratedMath } from "../../../src/pools/concentrated/math.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { NEAR } from "../../../src/venues/uniswap-v3/heads.ts";
import { tokenAt } from "../../market/pairs.ts";

const block = { number: 1n, hash: "0x01", parentHash: "0x00", timestamp: 1n } as const;
const tokens = [tokenAt(1), tokenAt(2)] as const;
const refOf = (id: `0x${string}`): PoolRef => ({ id, address: tokens[0], tokens, terms: {} });

function poolOf(ref: PoolRef, feePpm: number): Extract<Pool, { curve: "concentrated" }> {
  const state = { sqrtPriceX96: sqrtRatioAtTick(0), tick: 0, liquidity: 0n, feePpm, tickSpacing: 60, ticks: [] };
  return { id: ref.id, source: "Test", tokens: ref.tokens, curve: "concentrated", state };
}

it("a pool whose fee takes all of what is sold is none, near its price neither", () => {
  const [plain, taken] = [poolOf(refOf("0x01"), 3_000), poolOf(refOf("0x02"), 1_000_000)];
  const near = ({ id, state }: typeof plain) => NEAR.pool("Test", { ref: refOf(id as never), state }, [])?.id;
  expect([near(plain), near(taken)]).toEqual(["0x01", undefined]);
});

it("a pool that the maths do not take by halves is read whole, and holds up no other", async () => {
  const refs = [refOf("0x01"), refOf("0x02"), refOf("0x03")];
  const fees = new Map(refs.map(({ id }, index) => [id, [3_000, 1_000_000, 500][index] as number]));
  const read: string[] = [];
  const poolsOf = async (_: unknown, asked: readonly PoolRef[]) => asked.map((ref) => poolOf(ref, fees.get(ref.id)!));
  const source = {
    near: poolsOf,
    async sync(chain: unknown, asked: readonly PoolRef[]) {
      read.push(...asked.map(({ id }) => id));
      return poolsOf(chain, asked);
    },
  } as unknown as LiquiditySource;
  const isWorthReading = (pool: Pool) => {
    if (pool.curve !== "concentrated") throw new Error("another curve");
    return concentratedMath.limits(pool.state, { sell: 0, buy: 1 }, 0n).maxSell > 0n;
  };
  const reader = { reader: {} as never, isWorthReading };
  const states = await readFound(
    reader,
    refs.map((ref) => ({ ref, source })),
    block,
  );
  expect(states.size).toBe(3);
  expect(read).toContain("0x02");
});
