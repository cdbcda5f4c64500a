import type { Curve } from "../curve/curve.ts";
import { NEW_SLOT, withFirstUse } from "../curve/curve-gas.ts";
import { vaultFields } from "./fields.ts";
import { impossibleVault } from "./impossible.ts";
import { vaultMath } from "./math.ts";
import type { VaultState } from "./state.ts";

/** Shares of an ERC-4626 vault against its asset. */
export const vault = {
  math: vaultMath,
  gas: { savedAgain: () => 17_500n, givenBack: [39_800n, 19_900n], most: withFirstUse(() => NEW_SLOT) },
  sharesTotals: true,
  fields: vaultFields,
  impossible: impossibleVault,
} satisfies Curve<VaultState>;
