import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT, withFirstUse } from "../curve/curve-gas.ts";
import { eulerSwapFields } from "./fields.ts";
import { impossibleEulerSwap } from "./impossible.ts";
import { eulerSwapMath } from "./math.ts";
import type { EulerSwapState } from "./state.ts";

/** Slots that a swap may fill beyond an ordinary one: shares, a debt, a controller and a collateral that the account had none of. */
const FILLED = 6n;

/** Pools of EulerSwap, versions 1 and 2. */
export const eulerSwap = {
  math: eulerSwapMath,
  gas: { most: withFirstUse(() => FILLED * NEW_SLOT) },
  timeless: true,
  fields: eulerSwapFields,
  impossible: impossibleEulerSwap,
} satisfies Curve<EulerSwapState>;
