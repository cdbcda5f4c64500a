import { compiled } from "../../../../fixtures/settlement/node.ts";
import { UNIT, type World } from "../../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../../src/domain/address.ts";
import type { EulerSwapState, EulerSwapVersion } from "../../../../src/pools/euler-swap/state.ts";
import type { Pool } from "../../../../src/pools/pool.ts";

const ONE = 10n ** 18n;
const RESERVE = 50_000n * UNIT;
const ROOM = 20_000n * UNIT;

/** The world with a pool of each version of EulerSwap, of usd and dai. */
export async function withEulerPools(world: World) {
  const { node, owner, usd, dai, give } = world;
  const code = compiled("DevnetEulerPool");
  const tokens = usd < dai ? ([usd, dai] as const) : ([dai, usd] as const);
  const states = new Map<Address, Pool>(world.states);
  const create = async (version: EulerSwapVersion): Promise<Address> => {
    const state: EulerSwapState = {
      ...{ version, reserves: [RESERVE, RESERVE], equilibrium: [RESERVE, RESERVE], prices: [ONE, ONE] },
      ...{ concentrations: [ONE / 2n, (9n * ONE) / 10n], fees: [3n * 10n ** 14n, 3n * 10n ** 14n] },
      ...{ maxIn: [ROOM, ROOM], maxOut: [ROOM, ROOM] },
    };
    const pool = await node.deploy(code, version === "v2", ...tokens, owner);
    for (const token of tokens) await give(token, pool, RESERVE);
    const terms = {
      ...{ equilibriumReserve0: RESERVE, equilibriumReserve1: RESERVE, minReserve0: 0n, minReserve1: 0n },
      ...{ priceX: ONE, priceY: ONE, concentrationX: state.concentrations[0], concentrationY: state.concentrations[1] },
      ...{ fee0: state.fees[0], fee1: state.fees[1], expiration: 0, swapHookedOperations: 0, swapHook: owner },
    };
    await node.write(owner, pool, code.abi, "configure", terms, state.reserves);
    await node.write(owner, pool, code.abi, "setVaults", state.maxIn, state.maxOut);
    states.set(pool, { id: pool, source: "Test", tokens, curve: "euler-swap", state });
    return pool;
  };
  const [first, second] = [await create("v1"), await create("v2")];
  const actionOf: World["actionOf"] = (fill) => {
    const pool = fill.poolId as Address;
    return pool === first || pool === second ? { action: "euler-swap-pool", pool } : world.actionOf(fill);
  };
  await world.keep();
  return { world: { ...world, states, actionOf } as World, first, second };
}
