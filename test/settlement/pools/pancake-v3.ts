import { compiled } from "../../../fixtures/settlement/node.ts";
import { ticksOf } from "../../../fixtures/settlement/ticks.ts";
import type { World } from "../../../fixtures/settlement/venues.ts";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { AnyAction } from "../../../src/venues/index.ts";
import { nested, openDesk, withTwoPools } from "./concentrated.ts";

const desk = compiled("DevnetDesk");
const FEE = 500;
const SPACING = 10;

/** A brand of pools with Uniswap V3's functions, but for the callback's name. */
interface Brand {
  readonly factory: Address;
  readonly pool: ReturnType<typeof bundled>;
  action(pool: Address): AnyAction;
}

/** The world with PancakeSwap V3 pools of usd and dai and of dai and gem at price one, traded before. */
export async function withPancakeV3(world: World) {
  const { node } = world;
  const pool = bundled("PancakeV3Pool");
  const deployer = await node.deploy(compiled("DevnetPancakeV3Deployer"), pool.bytecode);
  const factory = await node.deploy(bundled("PancakeV3Factory"), deployer);
  return withPoolsOf(world, { factory, pool, action: (address) => ({ action: "pancake-v3-pool", pool: address }) });
}

/** The world with two such pools of one brand. */
export async function withPoolsOf(world: World, { factory, pool, action }: Brand) {
  const { node, owner } = world;
  const { abi } = bundled("UniswapV3Factory");
  const deskAt = await openDesk(world, desk);
  const ranges = nested(600 * SPACING, 10 * SPACING);
  const ticks = ticksOf(ranges);
  return withTwoPools(world, {
    async create(a, b) {
      await node.write(owner, factory, abi, "createPool", a, b, FEE);
      const address = toAddress(await node.read<string>(factory, abi, "getPool", a, b, FEE));
      await node.write(owner, address, pool.abi, "initialize", 1n << 96n);
      for (const { half, amount } of ranges) {
        await node.write(owner, deskAt, desk.abi, "mint", address, -half, half, amount);
      }
      return address;
    },
    action,
    async stateOf(address) {
      const [sqrtPriceX96, tick] = await node.read<[bigint, number]>(address, pool.abi, "slot0");
      const liquidity = await node.read<bigint>(address, pool.abi, "liquidity");
      return { sqrtPriceX96, tick, liquidity, feePpm: FEE, tickSpacing: SPACING, ticks };
    },
  });
}
