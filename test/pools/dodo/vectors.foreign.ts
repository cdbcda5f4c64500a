import { expect, test } from "vitest";
import { dodoMath } from "../../../src/pools/dodo/math.ts";
import type { DodoState } from "../../../src/pools/dodo/state.ts";
import { expectAsTold, type VectorRecord, vectorsOf } from "../../support/suites/vectors.ts";

interface RawPool {
  readonly tokens: readonly { readonly address: string }[];
  readonly extra: Readonly<Record<"i" | "K" | "B" | "Q" | "B0" | "Q0" | "mtFeeRate" | "lpFeeRate", string>> & {
    readonly R: number | string;
  };
}

const SIDES = ["ONE", "ABOVE_ONE", "BELOW_ONE"] as const;
/** A refusal by the other team's own minimum, which no contract of DODO V2 has. */
const OWN_MINIMUM = /SwapAmountTooSmall/;
/** Pools of DODO's first version are other contracts, with an oracle of their own. */
const FIRST_VERSION = "kyber:dodo/classical";

function read({ dex, pool }: VectorRecord) {
  const { tokens, extra } = pool as RawPool;
  const state: DodoState = {
    ...{ kind: dex.endsWith("dvm") ? "DVM" : "targets", i: BigInt(extra.i), k: BigInt(extra.K) },
    ...{ reserves: [BigInt(extra.B), BigInt(extra.Q)], targets: [BigInt(extra.B0), BigInt(extra.Q0)] },
    ...{ r: SIDES[Number(extra.R)]!, lpFee: BigInt(extra.lpFeeRate), maintainerFee: BigInt(extra.mtFeeRate) },
  };
  return { tokens: tokens.map(({ address }) => address), state };
}

test("another team's vectors of DODO V2's pools", () => {
  const seen = { equal: 0, refused: 0 };
  for (const record of vectorsOf("dodo").filter(({ dex }) => dex !== FIRST_VERSION)) {
    const { tokens, state } = read(record);
    for (const swap of record.swaps) {
      const { kind, tokenIn, tokenOut, amountIn, error } = swap;
      if (kind === "exactOut" || OWN_MINIMUM.test(error ?? "")) continue;
      const direction = { sell: tokens.indexOf(tokenIn), buy: tokens.indexOf(tokenOut) };
      const quote = dodoMath.quoteExactIn(state, direction, BigInt(amountIn as string), 0n);
      const where = `${record.dex} ${record.source.test} ${tokenIn} ${amountIn}`;
      seen[expectAsTold(quote, swap, where)]++;
    }
  }
  expect(seen).toEqual({ equal: 13, refused: 0 });
});
