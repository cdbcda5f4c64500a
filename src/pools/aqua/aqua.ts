import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT, withFirstUse } from "../curve/curve-gas.ts";
import { aquaFields } from "./fields.ts";
import { impossibleAqua } from "./impossible.ts";
import { aquaMath } from "./math.ts";
import type { AquaState } from "./state.ts";

/** Strategies of makers that 1inch's SwapVM trades out of their wallets. */
export const aqua = {
  math: aquaMath,
  // The maker's first balance of what is sold, and the first of who gets a protocol's fee.
  gas: { most: withFirstUse((tokens) => tokens * NEW_SLOT) },
  fields: aquaFields,
  impossible: impossibleAqua,
  isPaused: ({ balances }) => balances.every((balance) => balance === 0n),
} satisfies Curve<AquaState>;
