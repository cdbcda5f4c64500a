import { type Address, toAddress } from "../../src/domain/address.ts";
import type { Fill } from "../../src/domain/route.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { compiled } from "./node.ts";
import { UNIT, type World } from "./venues.ts";

const factory = compiled("DevnetSolidlyFactory");
const pool = compiled("DevnetSolidlyPool");

/** The world with a volatile pool of dai and gem and a stable one of usd and dai, and their addresses. */
export async function withSolidly(world: World) {
  const { node, owner, usd, dai, gem } = world;
  const at = await node.deploy(factory);
  const states = new Map<Address, Pool>(world.states);
  const own = new Set<Address>();
  const create = async (a: Address, b: Address, stable: boolean, amount: bigint) => {
    await node.write(owner, at, factory.abi, "createPool", a, b, stable);
    const address = toAddress(await node.read<string>(at, factory.abi, "getPool", a, b, stable));
    await world.give(a, address, amount);
    await world.give(b, address, (amount * 9n) / 10n);
    await node.write(owner, address, pool.abi, "mint");
    const tokens = a < b ? [a, b] : [b, a];
    const reserves = a < b ? ([amount, (amount * 9n) / 10n] as const) : ([(amount * 9n) / 10n, amount] as const);
    const state = { stable, reserves, units: [UNIT, UNIT] as const, feeBps: stable ? 5n : 30n, paused: false };
    states.set(address, { id: address, source: "Test", tokens, curve: "solidly", state });
    own.add(address);
    return address;
  };
  const stable = await create(usd, dai, true, 100_000n * UNIT);
  const volatile = await create(dai, gem, false, 50_000n * UNIT);
  await world.keep();
  const actionOf: World["actionOf"] = (fill: Fill) =>
    own.has(toAddress(fill.poolId))
      ? { action: "solidly-pool", pool: toAddress(fill.poolId), feePpm: fill.poolId === stable ? 500 : 3_000 }
      : world.actionOf(fill);
  return { world: { ...world, states, actionOf } as World, factory: at, stable, volatile };
}
