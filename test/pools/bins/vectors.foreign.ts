import { expect, test } from "vitest";
import { binsMath } from "../../../src/pools/bins/math.ts";
import type { BinsState } from "../../../src/pools/bins/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { type VectorRecord, vectorsOf } from "../../support/suites/vectors.ts";

type Numbers = Readonly<Record<string, number>>;

interface RawPool {
  readonly tokens: readonly { readonly address: string }[];
  readonly extra: {
    readonly rpcBlockTimestamp: number;
    readonly binStep: number;
    readonly activeBinId: number;
    readonly staticFeeParams: Numbers;
    readonly variableFeeParams: Numbers;
    readonly bins: readonly {
      readonly id: number;
      readonly reserveX: number | string;
      readonly reserveY: number | string;
    }[];
  };
}

function read({ pool }: VectorRecord) {
  const { tokens, extra } = pool as RawPool;
  const { timeOfLastUpdate, ...variable } = extra.variableFeeParams;
  const state = {
    ...{ binStep: extra.binStep, activeId: extra.activeBinId },
    bins: extra.bins.map(({ id, reserveX, reserveY }) => ({
      id,
      reserveX: BigInt(reserveX),
      reserveY: BigInt(reserveY),
    })),
    fee: { ...extra.staticFeeParams, ...variable, timeOfLastUpdate: BigInt(timeOfLastUpdate as number) },
  } as unknown as BinsState;
  return { tokens: tokens.map(({ address }) => address), state, time: BigInt(extra.rpcBlockTimestamp) };
}

test("another team's vectors of Liquidity Book", () => {
  const seen = { exactIn: 0, exactOut: 0 };
  for (const record of vectorsOf("liquidity-book")) {
    const { tokens, state, time } = read(record);
    for (const swap of record.swaps) {
      const direction = { sell: tokens.indexOf(swap.tokenIn), buy: tokens.indexOf(swap.tokenOut) };
      const [given, asked] = [swap.amountIn, swap.amountOut].map((amount) => BigInt(amount as string)) as [
        bigint,
        bigint,
      ];
      const isExactIn = swap.kind === "exactIn";
      const quote = isExactIn
        ? binsMath.quoteExactIn(state, direction, given, time)
        : binsMath.quoteExactOut(state, direction, asked, time);
      expect(isRejection(quote) ? quote : quote.amount, record.source.test).toBe(isExactIn ? asked : given);
      seen[swap.kind]++;
    }
  }
  expect(seen).toEqual({ exactIn: 3, exactOut: 3 });
});
