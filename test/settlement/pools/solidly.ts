import { compiled } from "../../../fixtures/settlement/node.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { Fill } from "../../../src/domain/route.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { tradeOnce } from "../chain/trade-once.ts";

const factory = compiled("DevnetSolidlyFactory");
const pool = compiled("DevnetSolidlyPool");

/** The world with a volatile pool of dai and gem and a stable one of usd and dai, both traded before. */
export async function withSolidly(world: World) {
  const { node, owner, usd, dai, gem } = world;
  const at = await node.deploy(factory);
  const create = async (a: Address, b: Address, stable: boolean, amount: bigint) => {
    await node.write(owner, at, factory.abi, "createPool", a, b, stable);
    const address = toAddress(await node.read<string>(at, factory.abi, "getPool", a, b, stable));
    await world.give(a, address, amount);
    await world.give(b, address, (amount * 9n) / 10n);
    await node.write(owner, address, pool.abi, "mint");
    return address;
  };
  const stable = await create(usd, dai, true, 100_000n * UNIT);
  const volatile = await create(dai, gem, false, 50_000n * UNIT);
  const actionOf: World["actionOf"] = (fill: Fill) =>
    fill.poolId === stable || fill.poolId === volatile
      ? { action: "solidly-pool", pool: toAddress(fill.poolId), feePpm: fill.poolId === stable ? 500 : 3_000 }
      : world.actionOf(fill);

  const states = new Map<Address, Pool>(world.states);
  for (const address of [stable, volatile]) {
    const isStable = address === stable;
    const [a, b] = isStable ? [usd, dai] : [dai, gem];
    await tradeOnce(world, address, [a, b], actionOf);
    const [, , reserve0, reserve1] = await node.read<readonly bigint[]>(address, pool.abi, "metadata");
    const state = {
      ...{
        stable: isStable,
        reserves: [reserve0 as bigint, reserve1 as bigint] as const,
        units: [UNIT, UNIT] as const,
      },
      ...{ feeBps: isStable ? 5n : 30n, paused: false },
    };
    states.set(address, { id: address, source: "Test", tokens: a < b ? [a, b] : [b, a], curve: "solidly", state });
  }
  await world.keep();
  return { world: { ...world, states, actionOf } as World, factory: at, stable, volatile };
}
