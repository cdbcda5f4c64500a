import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT, withFirstUse } from "../curve/curve-gas.ts";
import { savingsFields } from "./fields.ts";
import { ACCRUAL_GAS } from "./gas.ts";
import { impossibleSavings } from "./impossible.ts";
import { savingsMath } from "./math.ts";
import type { SavingsState } from "./state.ts";

/** Shares of a savings vault against its asset. */
export const savings = {
  math: savingsMath,
  gas: {
    savedAgain: () => 17_500n,
    givenBack: [39_800n, 19_900n],
    // In a later block the rate may have to be written down, and the ledger's slot for the vault be filled anew.
    most: withFirstUse(() => 2n * NEW_SLOT + ACCRUAL_GAS),
    comingDue: ({ updatedAt }, from, until) => (updatedAt >= from && until > updatedAt ? ACCRUAL_GAS : 0n),
  },
  fields: savingsFields,
  impossible: impossibleSavings,
} satisfies Curve<SavingsState>;
