import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT, withFirstUse } from "../curve/curve-gas.ts";
import { levelsMath } from "./math.ts";
import type { LevelsState } from "./state.ts";

/** A maker's levels. */
export const levels = {
  math: levelsMath,
  gas: { most: withFirstUse(() => 2n * NEW_SLOT) },
  offer: "indicative",
} satisfies Curve<LevelsState>;
