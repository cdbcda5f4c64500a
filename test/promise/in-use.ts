import { type Address, NATIVE_TOKEN } from "../../src/domain/address.ts";
import { SHARE_ONE } from "../../src/domain/route.ts";
import type { Snapshot } from "../../src/market/snapshot.ts";
import { mathOf, type Pool } from "../../src/pools/pool.ts";
import { type Direction, isRejection } from "../../src/pools/pool-math.ts";
import { evaluateExactIn } from "../../src/routing/plan/evaluate-exact-in.ts";
import type { SwapWorld } from "../support/worlds/swap-world.ts";

/** Parts of its rate that a trade leaves of it: through most of a concentrated pool's ticks; hardly moved elsewhere. */
const THROUGH = 0.1;
const HARDLY = 0.9999;
/** What a trader stakes of what it holds where nothing else bounds a small trade. */
const SMALL_SHARE = 1_000n;
const FOREVER = 2n ** 40n;
/** A pool takes up to four blocks. */
const POOLS_UNSEEN = 16;

/**
 * Trades each way with every pool, as on a chain in use, where slots have been written before: a pool's first swaps are
 * dearer, and so is the first that crosses a tick. Concentrated pools are traded back to their price.
 */
export async function useAllPools(world: SwapWorld, { graph }: Snapshot, trader: Address): Promise<void> {
  for (const [index, start] of graph.all().entries()) {
    // The market does not lose sight of the chain.
    if (index % POOLS_UNSEEN === 0) await world.follow();
    if (start.curve === "fixed-rate") continue;
    let pool: Pool = start;
    for (const direction of directionsOf(pool)) {
      const amount = await sizeOf(pool, direction);
      const there = await trade(pool, direction, amount);
      pool = there.pool;
      if (pool.curve !== "concentrated") continue;
      pool = (await trade(pool, { sell: direction.buy, buy: direction.sell }, there.bought)).pool;
    }
  }

  async function sizeOf(pool: Pool, direction: Direction): Promise<bigint> {
    const curve = mathOf(pool).curve(pool.state, direction, graph.time);
    if (curve === undefined) return 0n;
    const [left, share] = pool.curve === "concentrated" ? [THROUGH, 1n] : [HARDLY, SMALL_SHARE];
    const wanted = Math.min(curve.sellAmountAtRate(curve.marginalRate(0) * left), curve.maxSell / 2);
    const held = await world.devnet.balanceOf(pool.tokens[direction.sell] as Address, trader);
    return BigInt(Math.floor(Math.min(wanted, Number(held / share))));
  }

  async function trade(pool: Pool, direction: Direction, sellAmount: bigint): Promise<{ pool: Pool; bought: bigint }> {
    const [sellToken, buyToken] = [pool.tokens[direction.sell]!, pool.tokens[direction.buy]!];
    const quote = mathOf(pool).quoteExactIn(pool.state, direction, sellAmount, graph.time);
    const order = { kind: "exactIn", sellToken, buyToken, sellAmount } as const;
    const route = evaluateExactIn([{ pool, direction, share: SHARE_ONE }], order, graph.time);
    if (isRejection(quote) || "broken" in route) return { pool, bought: 0n };
    const terms = { sellToken, buyToken, maxSellAmount: sellAmount, minBuyAmount: 1n, deadline: FOREVER };
    const source = world.sources.get(pool.source)!;
    const { to, data, value } = world.settlement.encode(route, { ...terms, recipient: trader }, (fill) =>
      source.action(pool, fill),
    );
    const sent = { to, data, ...(sellToken === NATIVE_TOKEN && { value }) };
    const { succeeded } = await world.devnet.sendTransaction(trader, sent);
    if (!succeeded) throw new Error(`a trade with ${pool.id} of ${pool.source} failed`);
    return { pool: { ...pool, state: quote.next } as Pool, bought: quote.amount };
  }
}

/** Every way in which two of a pool's tokens can be traded. */
export function directionsOf({ tokens }: Pool): readonly Direction[] {
  const all = tokens.flatMap((_, sell) => tokens.map((_, buy) => ({ sell, buy })));
  return all.filter(({ sell, buy }) => sell !== buy);
}
