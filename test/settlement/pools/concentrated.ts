import { type Artifact, compiled } from "../../../fixtures/settlement/node.ts";
import type { Range } from "../../../fixtures/settlement/ticks.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { ConcentratedState } from "../../../src/pools/concentrated/state.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import type { AnyAction } from "../../../src/venues/index.ts";
import { tradeOnce } from "../chain/trade-once.ts";

/** Two nested positions, so that large swaps cross ticks. */
export function nested(wide: number, near: number): readonly Range[] {
  return [
    { half: wide, amount: 200_000n * UNIT },
    { half: near, amount: 900_000n * UNIT },
  ];
}

/** Deploys a desk, which gives liquidity with what the owner lets it have of every token. */
export async function openDesk(world: World, desk: Artifact, ...args: readonly unknown[]): Promise<Address> {
  const { node, owner, usd, dai, gem, give } = world;
  const at = await node.deploy(desk, ...args);
  for (const token of [usd, dai, gem]) {
    await give(token, owner, 10n ** 9n * UNIT);
    await node.write(owner, token, compiled("PlainToken").abi, "approve", at, 2n ** 256n - 1n);
  }
  return at;
}

/** A venue whose pools are contracts of their own. */
interface Venue {
  /** Creates a pool at price one and fills it; its address. */
  create(a: Address, b: Address): Promise<Address>;
  action(pool: Address): AnyAction;
  stateOf(pool: Address): Promise<ConcentratedState>;
}

/** The world with pools of usd and dai and of dai and gem, traded before. */
export async function withTwoPools(world: World, venue: Venue) {
  const { usd, dai, gem } = world;
  const usdDai = await venue.create(usd, dai);
  const daiGem = await venue.create(dai, gem);
  const actionOf: World["actionOf"] = (fill) =>
    fill.poolId === usdDai || fill.poolId === daiGem ? venue.action(toAddress(fill.poolId)) : world.actionOf(fill);
  const states = new Map<Address, Pool>(world.states);
  for (const [id, a, b] of [
    [usdDai, usd, dai],
    [daiGem, dai, gem],
  ] as const) {
    await tradeOnce(world, id, [a, b], actionOf);
    const state = await venue.stateOf(id);
    states.set(id, { id, source: "Test", tokens: a < b ? [a, b] : [b, a], curve: "concentrated", state });
  }
  await world.keep();
  return { world: { ...world, states, actionOf } as World, usdDai, daiGem };
}
