import type { Curve } from "../curve.ts";
import { NEW_SLOT, percent, withFirstUse } from "../curve-gas.ts";
import { weightedFields } from "./fields.ts";
import { impossibleWeighted } from "./impossible.ts";
import { weightedMath } from "./math.ts";
import type { WeightedState } from "./state.ts";

/** Balancer V2's weighted pools. */
export const weighted = {
  math: weightedMath,
  gas: { savedAgain: percent(43n), givenBack: 39_800n, most: withFirstUse(() => NEW_SLOT) },
  timeless: true,
  inVault: () => true,
  fields: weightedFields,
  impossible: impossibleWeighted,
} satisfies Curve<WeightedState>;
