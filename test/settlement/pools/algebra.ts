import { compiled } from "../../../fixtures/settlement/node.ts";
import { ticksOf } from "../../../fixtures/settlement/ticks.ts";
import type { World } from "../../../fixtures/settlement/venues.ts";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { ConcentratedState } from "../../../src/pools/concentrated/state.ts";
import { nested, openDesk, withTwoPools } from "./concentrated.ts";

const both = compiled("DevnetAlgebra");
const desk = compiled("DevnetDesk");
/** The factories' own for new pools. */
export const FEE = 500;
export const SPACING = 60;

/** Contracts and storage of a version of Algebra. */
interface Version {
  readonly at: Address;
  readonly factory: ReturnType<typeof bundled>;
  readonly pool: ReturnType<typeof bundled>;
  /** Arguments of `createPool` behind the two tokens. */
  readonly more: readonly unknown[];
  readonly terms: Pick<ConcentratedState, "tickSpacing" | "byTicks" | "family">;
}

/** The world with Algebra pools of usd and dai and of dai and gem at price one, traded before. */
export async function withAlgebra(world: World) {
  const [factory, pool] = [bundled("AlgebraFactory"), bundled("AlgebraPool")];
  const { node } = world;
  const pairOfBoth = await node.deploy(both, factory.bytecode, bundled("AlgebraPoolDeployer").bytecode);
  const at = toAddress(await node.read<string>(pairOfBoth, both.abi, "factory"));
  return withPoolsOf(world, { at, factory, pool, more: ["0x"], terms: { tickSpacing: 1, byTicks: true } });
}

/** The world with two such pools of one version. */
export async function withPoolsOf(world: World, { at, factory, pool, more, terms }: Version) {
  const { node, owner } = world;
  const deskAt = await openDesk(world, desk);
  const ranges = nested(100 * SPACING, 2 * SPACING);
  const ticks = ticksOf(ranges);
  return withTwoPools(world, {
    async create(a, b) {
      await node.write(owner, at, factory.abi, "createPool", a, b, ...more);
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
      return { sqrtPriceX96, tick, liquidity, feePpm, ...terms, ticks };
    },
  });
}
