import { compiled } from "../../../fixtures/settlement/node.ts";
import { ticksOf } from "../../../fixtures/settlement/ticks.ts";
import type { World } from "../../../fixtures/settlement/venues.ts";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { toAddress } from "../../../src/domain/address.ts";
import { nested, openDesk, withTwoPools } from "./concentrated.ts";

const factory = bundled("AlgebraFactory");
const pool = bundled("AlgebraPool");
const both = compiled("DevnetAlgebra");
const desk = compiled("DevnetDesk");
/** The factory's own for new pools. */
const FEE = 500;
const SPACING = 60;

/** The world with Algebra pools of usd and dai and of dai and gem at price one, traded before. */
export async function withAlgebra(world: World) {
  const { node, owner } = world;
  const pairOfBoth = await node.deploy(both, factory.bytecode, bundled("AlgebraPoolDeployer").bytecode);
  const at = toAddress(await node.read<string>(pairOfBoth, both.abi, "factory"));
  const deskAt = await openDesk(world, desk);
  const ranges = nested(100 * SPACING, 2 * SPACING);
  const ticks = ticksOf(ranges);
  return withTwoPools(world, {
    async create(a, b) {
      await node.write(owner, at, factory.abi, "createPool", a, b, "0x");
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
      return { sqrtPriceX96, tick, liquidity, feePpm, tickSpacing: 1, byTicks: true, ticks };
    },
  });
}
