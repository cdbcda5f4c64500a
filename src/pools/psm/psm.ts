import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT, withFirstUse } from "../curve/curve-gas.ts";
import { psmFields } from "./fields.ts";
import { impossiblePsm } from "./impossible.ts";
import { psmMath } from "./math.ts";
import type { PsmState } from "./state.ts";

/** Price stability modules. */
export const psm = {
  math: psmMath,
  gas: {
    savedAgain: () => 22_500n,
    givenBack: 39_800n,
    // An amount below a whole unit of gem goes to the taker.
    most: withFirstUse(() => NEW_SLOT + 40_000n),
  },
  fields: psmFields,
  impossible: impossiblePsm,
  isPaused: ({ tin, tout }) => tin === undefined && tout === undefined,
} satisfies Curve<PsmState>;
