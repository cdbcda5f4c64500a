import { compiled } from "../../../fixtures/settlement/node.ts";
import { ticksOf } from "../../../fixtures/settlement/ticks.ts";
import type { World } from "../../../fixtures/settlement/venues.ts";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { toAddress } from "../../../src/domain/address.ts";
import { nested, openDesk, withTwoPools } from "./concentrated.ts";

const factory = bundled("AlgebraV1Factory");
const deployer = bundled("AlgebraV1PoolDeployer");
const pool = bundled("AlgebraV1Pool");
const desk = compiled("DevnetDesk");
const FEE = 500;
/** Sigmoids of no height: the fee is the same at any volatility (AdaptiveFee.sol). */
const CONFIGURATION = [0, 0, 0, 0, 1, 1, 0, 1, FEE];
const SPACING = 60;

/** The world with pools of Algebra's first version of usd and dai and of dai and gem at price one, traded before. */
export async function withAlgebraV1(world: World) {
  const { node, owner } = world;
  const deployerAt = await node.deploy(deployer);
  const at = await node.deploy(factory, deployerAt, owner);
  await node.write(owner, deployerAt, deployer.abi, "setFactory", at);
  await node.write(owner, at, factory.abi, "setBaseFeeConfiguration", ...CONFIGURATION);
  const deskAt = await openDesk(world, desk);
  const ranges = nested(100 * SPACING, 2 * SPACING);
  const ticks = ticksOf(ranges);
  return withTwoPools(world, {
    async create(a, b) {
      await node.write(owner, at, factory.abi, "createPool", a, b);
      const address = toAddress(await node.read<string>(at, factory.abi, "poolByPair", a, b));
      await node.write(owner, address, pool.abi, "initialize", 1n << 96n);
      for (const { half, amount } of ranges) {
        await node.write(owner, deskAt, desk.abi, "mintAlgebra", address, -half, half, amount);
      }
      return address;
    },
    action: (address) => ({ action: "algebra-pool", pool: address }),
    async stateOf(address) {
      const [sqrtPriceX96, tick, feePpm] = await node.read<[bigint, number, number]>(address, pool.abi, "globalState");
      const liquidity = await node.read<bigint>(address, pool.abi, "liquidity");
      if (feePpm !== FEE) throw new Error(`the factory's fee is ${feePpm}`);
      return { sqrtPriceX96, tick, liquidity, feePpm, tickSpacing: SPACING, family: "algebra-v1", ticks };
    },
  });
}
