import { compiled } from "../../../fixtures/settlement/node.ts";
import type { World } from "../../../fixtures/settlement/venues.ts";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { ZERO_ADDRESS } from "../../../src/domain/address.ts";
import { poolIdOf } from "../../../src/venues/uniswap-v4/pool-key.ts";
import { POOLS_SLOT } from "../../../src/venues/uniswap-v4/slots.ts";
import { FEE, ofManager, SPACING, withSingleton } from "./singleton.ts";

/** The world with pools of Uniswap V4. */
export async function withV4(world: World) {
  const { abi, bytecode } = bundled("PoolManager");
  const manager = await world.node.deploy({ abi, bytecode }, world.owner);
  const terms = { fee: FEE, tickSpacing: SPACING, hooks: ZERO_ADDRESS };
  return withSingleton(world, {
    ...ofManager(world, { manager, abi, poolsSlot: POOLS_SLOT }, { key: { fee: FEE, hooks: ZERO_ADDRESS } }),
    desk: compiled("DevnetV4Desk"),
    keyOf: ([currency0, currency1]) => ({ currency0, currency1, ...terms }),
    idOf: (currencies) => poolIdOf({ currencies, ...terms }),
    action: { action: "v4-pool", manager, ...terms },
  });
}
