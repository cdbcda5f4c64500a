import { numberToHex } from "viem";
import { compiled } from "../../../fixtures/settlement/node.ts";
import type { World } from "../../../fixtures/settlement/venues.ts";
import { toAddress } from "../../../src/domain/address.ts";
import { INFINITY_CL, poolIdOf } from "../../../src/venues/infinity-cl/pool-key.ts";
import { POOLS_SLOT } from "../../../src/venues/infinity-cl/source.ts";
import { FEE, ofManager, SPACING, withSingleton } from "./singleton.ts";

/** Hooks that would be called where liquidity is taken away: all of a key is named in a fill. */
export const HOOKED = { hooks: toAddress(`0x${"0".repeat(32)}fee0c001`), registration: 1 << 4 } as const;

/** The world with pools of PancakeSwap Infinity, in a CLPoolManager of a new Vault's or of `vault`. */
export async function withInfinity(world: World, vault?: `0x${string}`) {
  const { node, owner } = world;
  const managerArtifact = compiled("DevnetClManager");
  const held = vault ?? (await node.deploy(compiled("DevnetInfinityVault")));
  const manager = await node.deploy(managerArtifact, held, owner);
  const terms = { fee: FEE, tickSpacing: SPACING, ...HOOKED };
  const parameters = numberToHex((SPACING << 16) | HOOKED.registration, { size: 32 });
  const made = await withSingleton(world, {
    ...ofManager(
      world,
      { manager, abi: managerArtifact.abi, poolsSlot: POOLS_SLOT },
      { key: { fee: FEE, ...HOOKED }, family: INFINITY_CL },
    ),
    desk: compiled("DevnetInfinityDesk"),
    keyOf: ([currency0, currency1]) => ({
      ...{ currency0, currency1, hooks: HOOKED.hooks, poolManager: manager, fee: FEE, parameters },
    }),
    idOf: (currencies) => poolIdOf({ currencies, manager, ...terms }),
    action: { action: "infinity-cl-pool", manager, ...terms },
  });
  return { ...made, vault: held };
}
