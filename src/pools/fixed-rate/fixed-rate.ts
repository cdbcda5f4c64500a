import type { Curve } from "../curve/curve.ts";
import { withFirstUse } from "../curve/curve-gas.ts";
import { fixedRateFields } from "./fields.ts";
import { fixedRateMath } from "./math.ts";
import type { FixedRateState } from "./state.ts";

/** One token for another, one to one. */
export const fixedRate = {
  math: fixedRateMath,
  // The wrapped token's slot: a deposit fills it for whoever draws or sends it on, a withdrawal empties it.
  gas: {
    savedAgain: () => 4_000n,
    givenBack: 19_900n,
    passesOn: [true, false],
    most: withFirstUse(() => 0n),
  },
  timeless: true,
  oneToOneGas: ({ gas }) => gas,
  fields: fixedRateFields,
} satisfies Curve<FixedRateState>;
