import { type Address, NATIVE_TOKEN } from "../../src/domain/address.ts";
import { SHARE_ONE } from "../../src/domain/route.ts";
import type { Snapshot } from "../../src/market/snapshot.ts";
import { mathOf, type Pool } from "../../src/pools/pool.ts";
import { type Direction, isRejection } from "../../src/pools/pool-math.ts";
import { evaluatePlan } from "../../src/routing/plan/execution.ts";
import type { SwapWorld } from "../support/worlds/swap-world.ts";
import type { SentTransaction } from "../support/worlds/transactions.ts";

/** Parts of its rate that a trade leaves of it: through most of a concentrated pool's ticks; hardly moved elsewhere. */
const THROUGH = 0.1;
const HARDLY = 0.9999;
/** Share of its balance that a trader sells if nothing else bounds a small trade. */
const SMALL_SHARE = 1_000n;
const FOREVER = 2n ** 40n;

/**
 * Trades each way with every pool, as on a chain in use, where slots have been written before: a pool's first swaps are
 * dearer, and so is the first that crosses a tick. Concentrated pools are traded back to their price.
 */
export async function useAllPools(world: SwapWorld, { graph }: Snapshot, trader: Address): Promise<void> {
  const tokens = [...new Set(graph.all().flatMap((pool) => pool.tokens))];
  const balances = await world.devnet.balancesOf(tokens.map((token) => ({ token, account: trader })));
  const held = new Map(tokens.map((token, index) => [token, balances[index]!]));
  const trades = graph.all().flatMap(tradesWith);
  const receipts = await world.devnet.sendTogether(trades.map(({ transaction }) => transaction));
  for (const [index, { succeeded }] of receipts.entries()) {
    const { id, source } = trades[index]!.pool;
    if (!succeeded) throw new Error(`a trade with ${id} of ${source} failed`);
  }

  function tradesWith(start: Pool): readonly Trade[] {
    if (start.curve === "fixed-rate") return [];
    const trades: Trade[] = [];
    let pool: Pool = start;
    for (const direction of directionsOf(pool)) {
      const there = trade(pool, direction, sizeOf(pool, direction));
      if (there === undefined) continue;
      trades.push(there);
      pool = there.next;
      if (pool.curve !== "concentrated") continue;
      const back = trade(pool, { sell: direction.buy, buy: direction.sell }, there.bought);
      if (back === undefined) continue;
      trades.push(back);
      pool = back.next;
    }
    return trades;
  }

  function sizeOf(pool: Pool, direction: Direction): bigint {
    const curve = mathOf(pool).curve(pool.state, direction, graph.time);
    if (curve === undefined) return 0n;
    const [left, share] = pool.curve === "concentrated" ? [THROUGH, 1n] : [HARDLY, SMALL_SHARE];
    const wanted = Math.min(curve.sellAmountAtRate(curve.marginalRate(0) * left), curve.maxSell / 2);
    return BigInt(Math.floor(Math.min(wanted, Number(held.get(pool.tokens[direction.sell]!)! / share))));
  }

  function trade(pool: Pool, direction: Direction, sellAmount: bigint): Trade | undefined {
    const [sellToken, buyToken] = [pool.tokens[direction.sell]!, pool.tokens[direction.buy]!];
    const quote = mathOf(pool).quoteExactIn(pool.state, direction, sellAmount, graph.time);
    const order = { kind: "exactIn", sellToken, buyToken, sellAmount } as const;
    const route = evaluatePlan([{ pool, direction, share: SHARE_ONE }], order, graph.time);
    if (isRejection(quote) || "broken" in route) return undefined;
    const terms = { sellToken, buyToken, maxSellAmount: sellAmount, minBuyAmount: 1n, deadline: FOREVER };
    const source = world.sources.get(pool.source)!;
    const { to, data, value } = world.settlement.encode(route, { ...terms, recipient: trader }, (fill) =>
      source.action(pool, fill),
    );
    const transaction = { from: trader, to, data, ...(sellToken === NATIVE_TOKEN && { value }) };
    return { pool, transaction, bought: quote.amount, next: { ...pool, state: quote.next } as Pool };
  }
}

/** One trade with a pool, still to be sent. */
interface Trade {
  readonly pool: Pool;
  readonly transaction: SentTransaction;
  /** Base units. */
  readonly bought: bigint;
  /** The pool after it. */
  readonly next: Pool;
}

/** Every way in which two of a pool's tokens can be traded. */
export function directionsOf({ tokens }: Pool): readonly Direction[] {
  const all = tokens.flatMap((_, sell) => tokens.map((_, buy) => ({ sell, buy })));
  return all.filter(({ sell, buy }) => sell !== buy);
}
