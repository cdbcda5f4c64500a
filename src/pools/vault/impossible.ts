import { unless } from "../curve/faults.ts";
import type { VaultState } from "./state.ts";

/** Why no contract can be in such a state; undefined where one can. */
export function impossibleVault({ virtualShares }: VaultState): string | undefined {
  return unless(virtualShares > 0n, "virtualShares: none");
}
