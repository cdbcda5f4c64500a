import { compiled } from "../../../../fixtures/settlement/node.ts";
import { UNIT, type World } from "../../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../../src/domain/address.ts";
import type { MaverickState } from "../../../../src/pools/maverick/state.ts";
import { ticksAhead } from "../../../../src/pools/maverick/swap.ts";
import type { Pool } from "../../../../src/pools/pool.ts";

const HELD = 20_000n * UNIT;
const STATIC = 1;
const PROTOCOL_PART = 100;

/** The world with a pool of Maverick V2 of usd and dai: seven ticks, the price in the middle of the fourth. */
export async function withMaverickPool(world: World) {
  const { node, owner, usd, dai, give } = world;
  const [poolCode, factoryCode, token] = [
    ...[compiled("DevnetMaverickPool"), compiled("DevnetMaverickFactory"), compiled("PlainToken")],
  ] as const;
  const tokens = [usd, dai].sort() as [Address, Address];
  const factory = await node.deploy(factoryCode);
  const fees = [10n ** 15n, 2n * 10n ** 15n] as const;
  const terms = {
    ...{ tokenA: tokens[0], tokenB: tokens[1], feeAIn: fees[0], feeBIn: fees[1], tickSpacing: 10, lookback: 3_600 },
    ...{ activeTick: 0, kinds: STATIC, accessor: `0x${"00".repeat(20)}`, tokenAScale: 1, tokenBScale: 1 },
  };
  const pool = await node.read<string>(factory, factoryCode.abi, "create", terms);
  await node.write(owner, factory, factoryCode.abi, "create", terms);
  const state: MaverickState = {
    ...{ tickSpacing: 10, activeTick: 0, fees, protocolPart: PROTOCOL_PART, scales: [1n, 1n] },
    ticks: [-3, -2, -1, 0, 1, 2, 3].map((index) => ({
      ...{ index, reserveA: index <= 0 ? HELD : 0n, reserveB: index >= 0 ? HELD : 0n },
    })),
  };
  const id = pool.toLowerCase() as Address;
  for (const each of tokens) {
    await give(each, owner, 4n * HELD);
    await node.write(owner, each, token.abi, "approve", id, 4n * HELD);
  }
  await node.write(owner, id, poolCode.abi, "setProtocolFeeRatio", PROTOCOL_PART);
  const columns = [
    state.ticks.map(({ index }) => index),
    state.ticks.map(({ reserveA }) => reserveA),
    state.ticks.map(({ reserveB }) => reserveB),
  ];
  await node.write(owner, id, poolCode.abi, "place", ...columns);
  const states = new Map<Address, Pool>(world.states);
  states.set(id, { id, source: "Test", tokens, curve: "maverick", state });
  const actionOf: World["actionOf"] = (fill) => {
    if (fill.poolId !== id) return world.actionOf(fill);
    const tickLimit = ticksAhead(state, fill.sellToken === tokens[0]).at(-1)!.index;
    return { action: "maverick-pool", pool: id, tokenA: tokens[0], tickLimit };
  };
  await world.keep();
  return { world: { ...world, states, actionOf } as World, pool: id, tokens, state };
}
