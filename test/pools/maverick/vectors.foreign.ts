import { expect, test } from "vitest";
import { maverickMath } from "../../../src/pools/maverick/math.ts";
import type { MaverickState } from "../../../src/pools/maverick/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { type VectorRecord, vectorsOf } from "../../support/suites/vectors.ts";

interface RawTick {
  readonly ReserveA: string;
  readonly ReserveB: string;
}

interface RawPool {
  readonly tokens: readonly { readonly address: string; readonly decimals: number }[];
  readonly extra: Readonly<Record<"feeAIn" | "feeBIn", string>> & {
    readonly protocolFeeRatio: number;
    readonly activeTick: number;
    readonly ticks: Readonly<Record<string, RawTick>>;
  };
  readonly staticExtra: { readonly tickSpacing: number };
}

function read({ pool }: VectorRecord) {
  const { tokens, extra, staticExtra } = pool as RawPool;
  const { activeTick, protocolFeeRatio, feeAIn, feeBIn } = extra;
  const ticks = Object.entries(extra.ticks)
    .map(([index, { ReserveA, ReserveB }]) => ({
      ...{ index: Number(index), reserveA: BigInt(ReserveA), reserveB: BigInt(ReserveB) },
    }))
    .sort((one, other) => one.index - other.index);
  const scales = tokens.map(({ decimals }) => 10n ** BigInt(18 - decimals)) as [bigint, bigint];
  const state: MaverickState = {
    ...{ tickSpacing: Number(staticExtra.tickSpacing), activeTick: Number(activeTick), ticks, scales },
    ...{ fees: [BigInt(feeAIn), BigInt(feeBIn)], protocolPart: Number(protocolFeeRatio) },
  };
  return { tokens: tokens.map(({ address }) => address), state };
}

test("another team's vectors of Maverick V2's pools", () => {
  let equal = 0;
  for (const record of vectorsOf("maverick-v2")) {
    const { tokens, state } = read(record);
    const directionOf = (tokenIn: string) => ({ sell: tokens.indexOf(tokenIn), buy: 1 - tokens.indexOf(tokenIn) });
    for (const { tokenIn, amountIn, amountOut, after = [] } of record.swaps) {
      const start = after.reduce((before, { tokenIn: sold, amountIn: amount }) => {
        const quote = maverickMath.quoteExactIn(before, directionOf(sold), BigInt(amount as string), 0n);
        return isRejection(quote) ? before : quote.next;
      }, state);
      const quote = maverickMath.quoteExactIn(start, directionOf(tokenIn), BigInt(amountIn as string), 0n);
      expect(isRejection(quote) ? quote.rejected : quote.amount, record.source.test).toBe(BigInt(amountOut as string));
      equal++;
    }
  }
  expect(equal).toBe(3);
});
