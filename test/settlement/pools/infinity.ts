import { numberToHex } from "viem";
import { compiled } from "../../../fixtures/settlement/node.ts";
import type { World } from "../../../fixtures/settlement/venues.ts";
import { ZERO_ADDRESS } from "../../../src/domain/address.ts";
import { INFINITY_CL, poolIdOf } from "../../../src/venues/infinity-cl/pool-key.ts";
import { POOLS_SLOT } from "../../../src/venues/infinity-cl/source.ts";
import { FEE, SPACING, withSingleton } from "./singleton.ts";

/** The world with pools of PancakeSwap Infinity, in a CLPoolManager of a new Vault's or of `vault`. */
export async function withInfinity(world: World, vault?: `0x${string}`) {
  const { node, owner } = world;
  const managerArtifact = compiled("DevnetClManager");
  const held = vault ?? (await node.deploy(compiled("DevnetInfinityVault")));
  const manager = await node.deploy(managerArtifact, held, owner);
  const terms = { fee: FEE, tickSpacing: SPACING, hooks: ZERO_ADDRESS, registration: 0 };
  const parameters = numberToHex(SPACING << 16, { size: 32 });
  const made = await withSingleton(world, {
    ...{ manager, abi: managerArtifact.abi, desk: compiled("DevnetInfinityDesk"), poolsSlot: POOLS_SLOT },
    keyOf: ([currency0, currency1]) => ({
      ...{ currency0, currency1, hooks: ZERO_ADDRESS, poolManager: manager, fee: FEE, parameters },
    }),
    idOf: (currencies) => poolIdOf({ currencies, manager, ...terms }),
    action: { action: "infinity-cl-pool", manager, ...terms },
    terms: { key: { fee: FEE, hooks: ZERO_ADDRESS, registration: 0 }, family: INFINITY_CL },
  });
  return { ...made, vault: held };
}
