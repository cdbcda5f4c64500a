import { compiled } from "../../../fixtures/settlement/node.ts";
import { ticksOf } from "../../../fixtures/settlement/ticks.ts";
import type { World } from "../../../fixtures/settlement/venues.ts";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { toAddress } from "../../../src/domain/address.ts";
import { nested, openDesk, withTwoPools } from "./concentrated.ts";

const factory = bundled("PancakeV3Factory");
const pool = bundled("PancakeV3Pool");
const desk = compiled("DevnetDesk");
const FEE = 500;
const SPACING = 10;

/** The world with PancakeSwap V3 pools of usd and dai and of dai and gem at price one, traded before. */
export async function withPancakeV3(world: World) {
  const { node, owner } = world;
  const deployer = await node.deploy(compiled("DevnetPancakeV3Deployer"), pool.bytecode);
  const at = await node.deploy(factory, deployer);
  const deskAt = await openDesk(world, desk);
  const ranges = nested(600 * SPACING, 10 * SPACING);
  const ticks = ticksOf(ranges);
  return withTwoPools(world, {
    async create(a, b) {
      await node.write(owner, at, factory.abi, "createPool", a, b, FEE);
      const address = toAddress(await node.read<string>(at, factory.abi, "getPool", a, b, FEE));
      await node.write(owner, address, pool.abi, "initialize", 1n << 96n);
      for (const { half, amount } of ranges) {
        await node.write(owner, deskAt, desk.abi, "mint", address, -half, half, amount);
      }
      return address;
    },
    action: (address) => ({ action: "pancake-v3-pool", pool: address }),
    async stateOf(address) {
      const [sqrtPriceX96, tick] = await node.read<[bigint, number]>(address, pool.abi, "slot0");
      const liquidity = await node.read<bigint>(address, pool.abi, "liquidity");
      return { sqrtPriceX96, tick, liquidity, feePpm: FEE, tickSpacing: SPACING, ticks };
    },
  });
}
