import { compiled } from "../../../fixtures/settlement/node.ts";
import { exactIn, type PoolUse } from "../../../fixtures/settlement/routes.ts";
import { run } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { Pool } from "../../../src/pools/pool.ts";

/** The world with a line of tokens, which begins with usd, and V3 pools between each and the next, traded before. */
export async function withLine(world: World, length: number) {
  const { node, usd } = world;
  const tokens: Address[] = [usd];
  const pools: Address[] = [];
  const states = new Map<Address, Pool>(world.states);
  const at: World = { ...world, states };
  while (pools.length < length) {
    const token = await node.deploy(compiled("PlainToken"));
    const pool = await world.newPool(tokens.at(-1)!, token);
    states.set(pool, await world.poolAt(pool));
    tokens.push(token);
    pools.push(pool);
  }
  // Both ways, since a pool's first swaps are dearer than all later ones.
  const there = pools.map((pool, i): PoolUse => [pool, tokens[i]!, tokens[i + 1]!]);
  const back = there.toReversed().map(([pool, sell, buy]): PoolUse => [pool, buy, sell]);
  const { bought } = await run(at, exactIn(at, usd, tokens.at(-1)!, UNIT, there), { minBuyAmount: 1n });
  await node.write(
    world.taker,
    tokens.at(-1)!,
    compiled("PlainToken").abi,
    "approve",
    world.settlement.allowanceTarget,
    bought,
  );
  await node.rpc("evm_increaseTime", 12);
  await run(at, exactIn(at, tokens.at(-1)!, usd, bought, back), { minBuyAmount: 1n });
  for (const pool of pools) states.set(pool, await world.poolAt(pool));
  await node.rpc("evm_increaseTime", 12);
  await world.keep();
  /** Pool uses that buy the line's token of this number for usd, back to front. */
  const upTo = (count: number): readonly PoolUse[] => there.slice(0, count).toReversed();
  return { world: at, tokens, upTo };
}
