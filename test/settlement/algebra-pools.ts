import { bundled } from "../../src/devnet/bundle.ts";
import { type Address, toAddress } from "../../src/domain/address.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { compiled } from "./node.ts";
import { tradeOnce } from "./trade-once.ts";
import { UNIT, type World } from "./venues.ts";

const factory = bundled("AlgebraFactory");
const pool = bundled("AlgebraPool");
const both = compiled("DevnetAlgebra");
const desk = compiled("DevnetDesk");
const plainToken = compiled("PlainToken");
/** The factory's own for new pools. */
const FEE = 500;
const SPACING = 60;

/** The world with Algebra pools of usd and dai and of dai and gem at price one, traded before. */
export async function withAlgebra(world: World) {
  const { node, owner, usd, dai, gem } = world;
  const pairOfBoth = await node.deploy(both, factory.bytecode, bundled("AlgebraPoolDeployer").bytecode);
  const at = toAddress(await node.read<string>(pairOfBoth, both.abi, "factory"));
  const deskAt = await node.deploy(desk);
  for (const token of [usd, dai, gem]) {
    await world.give(token, owner, 10n ** 9n * UNIT);
    await node.write(owner, token, plainToken.abi, "approve", deskAt, 2n ** 256n - 1n);
  }
  const ranges = [
    { half: 100 * SPACING, amount: 200_000n * UNIT },
    { half: 2 * SPACING, amount: 900_000n * UNIT },
  ];
  const create = async (a: Address, b: Address) => {
    await node.write(owner, at, factory.abi, "createPool", a, b, "0x");
    const address = toAddress(await node.read<string>(at, factory.abi, "poolByPair", a, b));
    await node.write(owner, address, pool.abi, "initialize", 1n << 96n);
    for (const { half, amount } of ranges) {
      await node.write(owner, deskAt, desk.abi, "mintAlgebra", address, -half, half, amount);
    }
    return address;
  };
  const usdDai = await create(usd, dai);
  const daiGem = await create(dai, gem);
  const actionOf: World["actionOf"] = (fill) =>
    fill.poolId === usdDai || fill.poolId === daiGem
      ? { action: "algebra-pool", pool: toAddress(fill.poolId) }
      : world.actionOf(fill);

  const ticks = ranges
    .flatMap(({ half, amount }) => [
      { index: -half, liquidityNet: amount, liquidityGross: amount },
      { index: half, liquidityNet: -amount, liquidityGross: amount },
    ])
    .sort((x, y) => x.index - y.index);
  const stateOf = async (address: Address): Promise<Pool> => {
    const [sqrtPriceX96, tick, feePpm] = await node.read<[bigint, number, number]>(address, pool.abi, "globalState");
    const liquidity = await node.read<bigint>(address, pool.abi, "liquidity");
    const [a, b] = address === usdDai ? [usd, dai] : [dai, gem];
    const state = { sqrtPriceX96, tick, liquidity, feePpm, tickSpacing: 1, byTicks: true, ticks } as const;
    if (feePpm !== FEE) throw new Error(`the factory's fee is ${feePpm}`);
    return { id: address, source: "Test", tokens: a < b ? [a, b] : [b, a], curve: "concentrated", state };
  };
  const states = new Map<Address, Pool>(world.states);
  await tradeOnce(world, usdDai, [usd, dai], actionOf);
  await tradeOnce(world, daiGem, [dai, gem], actionOf);
  for (const address of [usdDai, daiGem]) states.set(address, await stateOf(address));
  await world.keep();
  return { world: { ...world, states, actionOf } as World, usdDai, daiGem };
}
