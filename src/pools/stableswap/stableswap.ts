import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT, withFirstUse } from "../curve/curve-gas.ts";
import { unless } from "../curve/faults.ts";
import { stableswapFields } from "./fields.ts";
import { impossibleStableswap } from "./impossible.ts";
import { stableswapMath } from "./math.ts";
import { virtualPriceOf } from "./share.ts";
import type { StableswapState } from "./state.ts";

/** Curve's pools of tokens of like value. */
export const stableswap = {
  math: stableswapMath,
  // The first use writes the administrator's share, and of StableSwap-NG the averages; the fee that is left in the pool.
  gas: {
    savedAgain: () => 56_500n,
    givenBack: 59_700n,
    passesOn: true,
    most: withFirstUse(() => 3n * NEW_SLOT),
  },
  sharePrice: virtualPriceOf,
  basePool: ({ basePool }) => basePool,
  atBasePrice: (state, price) => ({ ...state, rates: state.rates.with(-1, price) }),
  // The pool's own share stands behind its coins where it is traded.
  tokensFault: ({ balances: { length } }, tokens) =>
    unless(tokens === length || tokens === length + 1, `${tokens} tokens where the state has ${length}`),
  fields: stableswapFields,
  impossible: impossibleStableswap,
  isPaused: ({ killed }) => killed,
} satisfies Curve<StableswapState>;
