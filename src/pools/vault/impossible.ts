import { unless } from "../faults.ts";
import type { VaultState } from "./state.ts";

/** As `impossible` of a curve. */
export function impossibleVault({ virtualShares }: VaultState): string | undefined {
  return unless(virtualShares > 0n, "virtualShares: none");
}
