import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT, percent } from "../curve/curve-gas.ts";
import { weightedFields } from "./fields.ts";
import { MAX_ORACLE_GAS } from "./gas.ts";
import { impossibleWeighted } from "./impossible.ts";
import { weightedMath } from "./math.ts";
import type { WeightedState } from "./state.ts";

/** Balancer V2's weighted pools. */
export const weighted = {
  math: weightedMath,
  gas: {
    savedAgain: percent(45n),
    givenBack: 39_800n,
    most({ gas, givenBack, tokens }, { firstVersion }) {
      const mayKeepOracle = firstVersion && tokens === 2n;
      return gas + givenBack + NEW_SLOT + (mayKeepOracle ? MAX_ORACLE_GAS : 0n);
    },
  },
  timeless: true,
  fields: weightedFields,
  impossible: impossibleWeighted,
  isPaused: ({ paused }) => paused,
} satisfies Curve<WeightedState>;
