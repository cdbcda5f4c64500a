import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT, withFirstUse } from "../curve/curve-gas.ts";
import { savingsFields } from "./fields.ts";
import { impossibleSavings } from "./impossible.ts";
import { savingsMath } from "./math.ts";
import type { SavingsState } from "./state.ts";

/** Shares of a savings vault against its asset. */
export const savings = {
  math: savingsMath,
  gas: { savedAgain: () => 27_500n, givenBack: [39_800n, 19_900n], most: withFirstUse(() => NEW_SLOT) },
  fields: savingsFields,
  impossible: impossibleSavings,
} satisfies Curve<SavingsState>;
