import { bundled } from "../../src/devnet/bundle.ts";
import { type Address, toAddress } from "../../src/domain/address.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { compiled } from "./node.ts";
import { tradeOnce } from "./trade-once.ts";
import { UNIT, type World } from "./venues.ts";

const factory = bundled("PancakeV3Factory");
const pool = bundled("PancakeV3Pool");
const desk = compiled("DevnetDesk");
const plainToken = compiled("PlainToken");
const FEE = 500;
const SPACING = 10;

/** The world with PancakeSwap V3 pools of usd and dai and of dai and gem at price one, traded before. */
export async function withPancakeV3(world: World) {
  const { node, owner, usd, dai, gem } = world;
  const deployer = await node.deploy(compiled("DevnetPancakeV3Deployer"), pool.bytecode);
  const at = await node.deploy(factory, deployer);
  const deskAt = await node.deploy(desk);
  for (const token of [usd, dai, gem]) {
    await world.give(token, owner, 10n ** 9n * UNIT);
    await node.write(owner, token, plainToken.abi, "approve", deskAt, 2n ** 256n - 1n);
  }
  const ranges = [
    { half: 600 * SPACING, amount: 200_000n * UNIT },
    { half: 10 * SPACING, amount: 900_000n * UNIT },
  ];
  const create = async (a: Address, b: Address) => {
    await node.write(owner, at, factory.abi, "createPool", a, b, FEE);
    const address = toAddress(await node.read<string>(at, factory.abi, "getPool", a, b, FEE));
    await node.write(owner, address, pool.abi, "initialize", 1n << 96n);
    for (const { half, amount } of ranges) {
      await node.write(owner, deskAt, desk.abi, "mint", address, -half, half, amount);
    }
    return address;
  };
  const usdDai = await create(usd, dai);
  const daiGem = await create(dai, gem);
  const actionOf: World["actionOf"] = (fill) =>
    fill.poolId === usdDai || fill.poolId === daiGem
      ? { action: "pancake-v3-pool", pool: toAddress(fill.poolId) }
      : world.actionOf(fill);

  const ticks = ranges
    .flatMap(({ half, amount }) => [
      { index: -half, liquidityNet: amount, liquidityGross: amount },
      { index: half, liquidityNet: -amount, liquidityGross: amount },
    ])
    .sort((x, y) => x.index - y.index);
  const stateOf = async (address: Address): Promise<Pool> => {
    const [sqrtPriceX96, tick] = await node.read<[bigint, number]>(address, pool.abi, "slot0");
    const liquidity = await node.read<bigint>(address, pool.abi, "liquidity");
    const [a, b] = address === usdDai ? [usd, dai] : [dai, gem];
    const state = { sqrtPriceX96, tick, liquidity, feePpm: FEE, tickSpacing: SPACING, ticks };
    return { id: address, source: "Test", tokens: a < b ? [a, b] : [b, a], curve: "concentrated", state };
  };
  const states = new Map<Address, Pool>(world.states);
  await tradeOnce(world, usdDai, [usd, dai], actionOf);
  await tradeOnce(world, daiGem, [dai, gem], actionOf);
  for (const address of [usdDai, daiGem]) states.set(address, await stateOf(address));
  await world.keep();
  return { world: { ...world, states, actionOf } as World, usdDai, daiGem };
}
