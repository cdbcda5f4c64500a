import type { BuiltInFee } from "../../../fixtures/universes/built-in.ts";
import { PANCAKE_FEE, USUAL_FEE } from "../../../fixtures/universes/built-in.ts";
import {
  balancerUniverse,
  fantomUniverse,
  mixedUniverse,
  type PeerUniverse,
} from "../../../fixtures/universes/priced.ts";

/** A set of pools of the comparison; `fee` is that of its constant-product pools, where it has any. */
export interface UniverseKind {
  /** Name of the set in scripts' arguments. */
  readonly key: string;
  readonly fee?: BuiltInFee;
  readonly make: () => PeerUniverse | undefined;
}

export const UNIVERSES: readonly UniverseKind[] = [
  { key: "flat", fee: USUAL_FEE, make: () => fantomUniverse(USUAL_FEE, true) },
  { key: "flat-pancake", fee: PANCAKE_FEE, make: () => fantomUniverse(PANCAKE_FEE, true) },
  { key: "raw", fee: USUAL_FEE, make: () => fantomUniverse(USUAL_FEE, false) },
  { key: "raw-pancake", fee: PANCAKE_FEE, make: () => fantomUniverse(PANCAKE_FEE, false) },
  { key: "balancer", make: () => balancerUniverse() },
  { key: "mixed", fee: USUAL_FEE, make: () => mixedUniverse(USUAL_FEE) },
  { key: "mixed-pancake", fee: PANCAKE_FEE, make: () => mixedUniverse(PANCAKE_FEE) },
];

/** The universe that a script is told to take; ends the script where there is none. */
export function universeOf(key: string): PeerUniverse {
  const kind = UNIVERSES.find((one) => one.key === key);
  if (kind === undefined) {
    console.error(`say which universe: ${UNIVERSES.map((one) => one.key).join(", ")}`);
    process.exit(2);
  }
  const universe = kind.make();
  if (universe !== undefined) return universe;
  console.error("skipped: ../shared/data is not there");
  process.exit(0);
}
