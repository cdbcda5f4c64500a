import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT, withFirstUse } from "../curve/curve-gas.ts";
import { rateTokenFields } from "./fields.ts";
import { rateTokenMath } from "./math.ts";
import type { RateTokenState } from "./state.ts";

/** A token that stands for another at a rate. */
export const rateToken = {
  math: rateTokenMath,
  gas: {
    savedAgain: () => 23_000n,
    givenBack: [59_700n, 39_800n],
    passesOn: true,
    most: withFirstUse(() => NEW_SLOT),
  },
  fields: rateTokenFields,
  countsNamed: ({ keepsShares }) => (keepsShares === true ? 0 : undefined),
} satisfies Curve<RateTokenState>;
