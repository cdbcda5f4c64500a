import type { Curve } from "../curve/curve.ts";
import { falls } from "./falling-fee.ts";
import { concentratedFields } from "./fields.ts";
import { concentratedSavedAgain, mostConcentratedGas } from "./gas.ts";
import { impossibleConcentrated } from "./impossible.ts";
import { concentratedMath } from "./math.ts";
import type { ConcentratedState } from "./state.ts";

/** Liquidity between ticks: Uniswap V3, V4 and their forks. */
export const concentrated = {
  math: concentratedMath,
  gas: {
    savedAgain: (_gas, state) => concentratedSavedAgain(state),
    most: ({ gas, isFurther }, state) => mostConcentratedGas(state, gas, isFurther),
  },
  timeless: ({ hook }) => hook?.falling === undefined || !falls(hook.falling),
  usedOnce: ({ hook }) => hook?.falling !== undefined,
  // The pools of a singleton have a key.
  payment: ({ key }) => (key === undefined ? "callback" : "lock"),
  fields: concentratedFields,
  impossible: impossibleConcentrated,
} satisfies Curve<ConcentratedState>;
