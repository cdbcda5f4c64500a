import { afterAll, beforeAll, expect, it } from "vitest";
import { type Address, NATIVE_TOKEN } from "../../src/domain/address.ts";
import { fillsOf, type Route, SHARE_ONE } from "../../src/domain/route.ts";
import type { Snapshot } from "../../src/market/snapshot.ts";
import { mathOf, type Pool, servesExactOut } from "../../src/pools/pool.ts";
import type { Direction } from "../../src/pools/pool-math.ts";
import { isRejection } from "../../src/pools/pool-math.ts";
import type { SwapTerms } from "../../src/quoting/ports.ts";
import { evaluatePlan } from "../../src/routing/plan/execution.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../support/worlds/swap-world.ts";
import { outfit } from "./execute.ts";
import { directionsOf } from "./in-use.ts";

/**
 * Every class of transactions at least once: each source's kinds of pools, by either amount, with native token sold, bought
 * or neither, with and without a fee, paid to the sender or to somebody else. Random quotes meet most, and promise none.
 */
const [TAKER, FEE_RECIPIENT, OTHER] = [testAccount(1), testAccount(2), testAccount(3)];
const FEE = { ratePpm: 1_000n, recipient: FEE_RECIPIENT };
const FOREVER = 2n ** 40n;
/** Part of a pool's rate that a trade leaves of it. */
const LEFT = 0.9999;
const NATIVE = ["neither", "sold", "bought"] as const;
const MAX_LINKS = 3;

interface PoolUse {
  readonly pool: Pool;
  readonly direction: Direction;
}

let world: SwapWorld;
let snapshot: Snapshot;
let wrapper: Pool;
beforeAll(async () => {
  world = await startSwapWorld();
  await outfit(world, [TAKER, OTHER]);
  snapshot = await world.follow();
  wrapper = snapshot.graph.all().find(({ source }) => world.sources.get(source)?.wrapsNative === true)!;
}, 300_000);
afterAll(() => world?.stop());

it("every class of transactions does to the wei what its route says", { timeout: 400_000 }, async () => {
  const done = new Map<string, number>();
  const never: string[] = [];
  for (const [kind, pools] of poolsByKind()) {
    for (const native of NATIVE) {
      for (const amount of ["exactIn", "exactOut"] as const) {
        if (amount === "exactOut" && !servesExactOut(pools[0]!)) continue;
        const route = firstRoute(pools, native, amount);
        if (route === undefined) {
          never.push(`${kind}, ${amount}, native ${native}`);
          continue;
        }
        for (const fee of [undefined, FEE]) {
          for (const recipient of [TAKER, OTHER]) {
            await trade(route, fee, recipient, `${kind}, ${amount}, native ${native}`);
            done.set(kind, (done.get(kind) ?? 0) + 1);
          }
        }
      }
    }
  }
  process.stdout.write(`${JSON.stringify({ done: Object.fromEntries(done), never })}\n`);
  expect(new Set([...done.keys()].map((kind) => kind.split(" ")[0]))).toEqual(
    new Set(
      snapshot.graph
        .all()
        .map(({ source }) => source)
        .filter((source) => source !== wrapper.source),
    ),
  );
  expect(never).toEqual([]);
});

/** Pools that are dealt with alike, by source and kind. */
function poolsByKind(): ReadonlyMap<string, readonly Pool[]> {
  const kinds = new Map<string, Pool[]>();
  for (const pool of snapshot.graph.all()) {
    if (pool.id === wrapper.id) continue;
    const kind = `${pool.source} ${pool.curve}${"stable" in pool.state && pool.state.stable ? ", stable" : ""}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), pool]);
  }
  return kinds;
}

/** The first route over one of these pools, with others before or behind it where native token has to be reached. */
function firstRoute(pools: readonly Pool[], native: (typeof NATIVE)[number], amount: Route["kind"]): Route | undefined {
  for (const pool of pools) {
    for (const direction of directionsOf(pool)) {
      const route = routeOver({ pool, direction }, native, amount);
      if (route !== undefined) return route;
    }
  }
  return undefined;
}

const soldBy = ({ pool, direction }: PoolUse) => pool.tokens[direction.sell]!;
const boughtBy = ({ pool, direction }: PoolUse) => pool.tokens[direction.buy]!;

function routeOver(use: PoolUse, native: (typeof NATIVE)[number], kind: Route["kind"]): Route | undefined {
  const ends = [soldBy(use), boughtBy(use)];
  if (native === "neither" && ends.includes(NATIVE_TOKEN)) return undefined;
  const before = native === "sold" ? linkOf(NATIVE_TOKEN, ends[0]!, use, kind) : [];
  const behind = native === "bought" ? linkOf(ends[1]!, NATIVE_TOKEN, use, kind) : [];
  if (before === undefined || behind === undefined) return undefined;
  const line = [...before, use, ...behind];
  const tokens = [soldBy(line[0]!), ...line.map(boughtBy)];
  if (new Set(tokens).size !== tokens.length) return undefined;
  const sellAmount = sizeOf(use, before);
  if (sellAmount === undefined) return undefined;
  const { time } = snapshot.graph;
  const [sellToken, buyToken] = [tokens[0]!, tokens.at(-1)!];
  const fills = line.map((each) => ({ ...each, share: SHARE_ONE }));
  const sold = evaluatePlan(fills, { kind: "exactIn", sellToken, buyToken, sellAmount }, time);
  if ("broken" in sold || sold.buyAmount < 2_000n || kind === "exactIn") return "broken" in sold ? undefined : sold;
  const order = { kind: "exactOut", sellToken, buyToken, buyAmount: sold.buyAmount / 2n } as const;
  const bought = evaluatePlan(fills.toReversed(), order, time);
  return "broken" in bought ? undefined : bought;
}

/** Pool uses that lead from one token to another without a pool use's own pool, the fewest; none where they are one. */
function linkOf(from: Address, to: Address, without: PoolUse, kind: Route["kind"]): readonly PoolUse[] | undefined {
  const [stop, other] = from === NATIVE_TOKEN ? [to, boughtBy(without)] : [to, soldBy(without)];
  let ways: readonly (readonly PoolUse[])[] = [[]];
  for (let links = 0; links <= MAX_LINKS; links++) {
    const found = ways.find((way) => (way.length === 0 ? from : boughtBy(way.at(-1)!)) === stop);
    if (found !== undefined) return found;
    ways = ways.flatMap((way) => {
      const at = way.length === 0 ? from : boughtBy(way.at(-1)!);
      const seen = [from, other, ...way.map(boughtBy)];
      return snapshot.graph.all().flatMap((pool) => {
        if (pool.id === without.pool.id || (kind === "exactOut" && !servesExactOut(pool))) return [];
        const sell = pool.tokens.indexOf(at);
        if (sell < 0) return [];
        const nexts = pool.tokens.flatMap((token, buy) => (seen.includes(token) ? [] : [{ sell, buy }]));
        return nexts.map((direction) => [...way, { pool, direction }]);
      });
    });
    // One way to each token is enough.
    const byToken = new Map(ways.map((way) => [boughtBy(way.at(-1)!), way] as const));
    ways = [...byToken.values()];
  }
  return undefined;
}

/** Amount to sell so that a pool use behind others moves its pool's price a little. */
function sizeOf({ pool, direction }: PoolUse, before: readonly PoolUse[]): bigint | undefined {
  const { time } = snapshot.graph;
  const curve = mathOf(pool).curve(pool.state, direction, time);
  if (curve === undefined) return undefined;
  const most = Math.min(curve.sellAmountAtRate(curve.marginalRate(0) * LEFT), curve.maxSell / 8, 1e18);
  let amount = BigInt(Math.floor(most));
  for (const link of before.toReversed()) {
    const back = { sell: link.direction.buy, buy: link.direction.sell };
    const quote = mathOf(link.pool).quoteExactIn(link.pool.state, back, amount, time);
    if (isRejection(quote)) return undefined;
    amount = quote.amount;
  }
  return amount > 0n ? amount : undefined;
}

async function trade(route: Route, fee: SwapTerms["fee"], recipient: Address, name: string): Promise<void> {
  const { devnet, settlement } = world;
  const feeAmount = fee === undefined ? 0n : (route.buyAmount * fee.ratePpm) / 1_000_000n;
  const terms: SwapTerms = {
    ...{ sellToken: route.sellToken, buyToken: route.buyToken, recipient, deadline: FOREVER },
    ...{ maxSellAmount: route.kind === "exactIn" ? route.sellAmount : 2n * route.sellAmount },
    ...{ minBuyAmount: route.buyAmount - feeAmount, ...(fee && { fee }) },
  };
  const action = (fill: { readonly poolId: string; readonly source: string }) =>
    world.sources.get(fill.source)!.action(snapshot.graph.pool(fill.poolId)!, fill as never);
  const transaction = settlement.encode(route, terms, action);
  settlement.verify(transaction, route, terms, action);
  const moved = await devnet.rolledBack(async () => {
    const moving = [
      { token: route.sellToken, account: TAKER },
      { token: route.buyToken, account: recipient },
      { token: route.buyToken, account: FEE_RECIPIENT },
    ];
    const passed = [NATIVE_TOKEN, route.sellToken, ...fillsOf(route).map(({ buyToken }) => buyToken)];
    const ours = settlement.contracts.flatMap((account) => passed.map((token) => ({ token, account })));
    const before = await devnet.balancesOf(moving);
    const receipt = await devnet.sendTransaction(TAKER, transaction);
    const balances = await devnet.balancesOf([...moving, ...ours]);
    const [after, left] = [balances.slice(0, moving.length), balances.slice(moving.length)];
    const gasOf = (token: Address, of: Address) => (token === NATIVE_TOKEN && of === TAKER ? receipt.networkFee : 0n);
    return {
      succeeded: receipt.succeeded,
      sold: before[0]! - after[0]! - gasOf(route.sellToken, TAKER),
      bought: after[1]! - before[1]! + gasOf(route.buyToken, recipient),
      fee: after[2]! - before[2]!,
      left: left.reduce((sum, amount) => sum + amount, 0n),
    };
  });
  expect(moved, name).toEqual({
    ...{ succeeded: true, sold: route.sellAmount, bought: route.buyAmount - feeAmount, fee: feeAmount, left: 0n },
  });
}
