import type { Curve } from "../curve/curve.ts";
import { solidlyFields } from "./fields.ts";
import { mostSolidlyGas, solidlyGasComingDue } from "./gas.ts";
import { impossibleSolidly } from "./impossible.ts";
import { solidlyMath } from "./math.ts";
import { writesObservation } from "./observation.ts";
import type { SolidlyState } from "./state.ts";

/** Pools of Solidly's kinds, volatile and stable. */
export const solidly = {
  math: solidlyMath,
  gas: {
    savedAgain: () => 77_000n,
    most: (_use, state) => mostSolidlyGas(state),
    comingDue: solidlyGasComingDue,
  },
  timeless: true,
  agesBetween: (state, one, other) => writesObservation(state, one) !== writesObservation(state, other),
  payment: () => "first",
  roundsFeeDown: true,
  fields: solidlyFields,
  impossible: impossibleSolidly,
  isPaused: ({ paused }) => paused,
} satisfies Curve<SolidlyState>;
