/**
 * The plain reference as a peer: the trade in equal chunks, each along the path of at most four pools that pays most
 * for it after all chunks before. With gas it is filled in 1, 10, 100 and 1,000 chunks, and the plan that is best after
 * gas is the answer; without gas in 1,000.
 */
import type { Address } from "../../src/domain/address.ts";
import type { PoolId } from "../../src/domain/route.ts";
import { mathOf, type Pool } from "../../src/pools/pool.ts";
import { isRejection, type PoolCurve } from "../../src/pools/pool-math.ts";
import { type PlannedPath, replay } from "./replay.ts";
import type { PeerRequest } from "./requests.ts";
import { serve, timed } from "./serve.ts";
import type { PeerUniverse } from "./universe.ts";

const CHUNKS = 1000;
const MOST_HOPS = 4;

interface Node {
  readonly token: Address;
  readonly sides: Side[];
  /** Pools from here to the bought token at least, counted for the request at hand. */
  away: number;
}

interface Side {
  readonly from: Node;
  readonly to: Node;
  readonly pool: Pool;
  readonly direction: { readonly sell: number; readonly buy: number };
  /** The pool's curve as it is now, after the chunks so far. */
  curve: PoolCurve | undefined;
}

interface Label {
  readonly node: Node;
  readonly amount: number;
  readonly side: Side | undefined;
  readonly before: Label | undefined;
}

serve((universe: PeerUniverse) => {
  const nodes = new Map<Address, Node>();
  const sidesOf = new Map<PoolId, Side[]>();
  const pools = new Map(universe.pools.map((pool) => [pool.id, pool]));
  const nodeOf = (token: Address): Node => {
    const known = nodes.get(token) ?? { token, sides: [], away: MOST_HOPS };
    nodes.set(token, known);
    return known;
  };
  const curveOf = (pool: Pool, direction: Side["direction"], state = pool.state) =>
    mathOf(pool).curve(state, direction, universe.time);
  for (const pool of universe.pools) {
    const sides = pool.tokens.flatMap((from, sell) =>
      pool.tokens.flatMap((to, buy): Side[] => {
        const direction = { sell, buy };
        return sell === buy
          ? []
          : [{ from: nodeOf(from), to: nodeOf(to), pool, direction, curve: curveOf(pool, direction) }];
      }),
    );
    for (const side of sides) side.from.sides.push(side);
    sidesOf.set(pool.id, sides);
  }

  /** Sets `away`; tokens that lead nowhere but back count as out of reach. */
  function measure(from: Node, to: Node): void {
    for (const node of nodes.values()) node.away = MOST_HOPS;
    const dead = new Set<Node>();
    for (let grown = -1; grown !== dead.size; ) {
      grown = dead.size;
      for (const node of nodes.values())
        if (node !== from && node !== to && !dead.has(node))
          if (new Set(node.sides.map((side) => side.to).filter((other) => !dead.has(other))).size < 2) dead.add(node);
    }
    to.away = 0;
    let edge = [to];
    for (let hops = 1; hops < MOST_HOPS; hops++) {
      const further: Node[] = [];
      for (const node of edge)
        for (const { to: other } of node.sides)
          if (other.away > hops && !dead.has(other)) {
            other.away = hops;
            further.push(other);
          }
      edge = further;
    }
  }

  function fill({ sellToken, buyToken, sellAmount }: PeerRequest, chunks: number): readonly PlannedPath[] | undefined {
    const states = new Map<PoolId, Pool["state"]>();
    const after = new Map<Node, Set<Node>>();
    const paths = new Map<string, PlannedPath>();
    const one = sellAmount < BigInt(chunks) ? 1n : sellAmount / BigInt(chunks);
    let left = sellAmount;
    try {
      while (left > 0n) {
        const sell = left < 2n * one ? left : one;
        const path = bestPath(nodeOf(sellToken), nodeOf(buyToken), Number(sell), after);
        if (path === undefined) return undefined;
        let amount = sell;
        for (const { pool, direction, from, to } of path) {
          const quote = mathOf(pool).quoteExactIn(states.get(pool.id) ?? pool.state, direction, amount, universe.time);
          if (isRejection(quote)) return undefined;
          states.set(pool.id, quote.next);
          for (const side of sidesOf.get(pool.id) ?? []) side.curve = curveOf(pool, side.direction, quote.next);
          after.set(from, (after.get(from) ?? new Set()).add(to));
          amount = quote.amount;
        }
        const key = path.map(({ pool }) => pool.id).join();
        const hops = path.map(({ pool, from, to }) => ({ pool: pool.id, sellToken: from.token, buyToken: to.token }));
        paths.set(key, { sellAmount: (paths.get(key)?.sellAmount ?? 0n) + sell, hops });
        left -= sell;
      }
      return [...paths.values()];
    } finally {
      for (const id of states.keys())
        for (const side of sidesOf.get(id) ?? []) side.curve = curveOf(side.pool, side.direction);
    }
  }

  /** What a plan is worth after gas, in the bought token. */
  function net(plan: readonly PlannedPath[], request: PeerRequest): number {
    const played = replay(plan, request, pools, universe.time);
    if (!played.ok) return Number.NEGATIVE_INFINITY;
    const wei = Number(played.gas * request.gasPrice);
    return Number(played.buyAmount) - wei / (universe.values.get(request.buyToken) ?? Number.POSITIVE_INFINITY);
  }

  return async (request: PeerRequest) => {
    const { result, spent } = await timed(() => {
      measure(nodeOf(request.sellToken), nodeOf(request.buyToken));
      const counts = request.gasPrice === 0n ? [CHUNKS] : [1, 10, 100, CHUNKS];
      const plans = counts.flatMap((chunks) => {
        const plan = fill(request, chunks);
        return plan === undefined ? [] : [{ plan, value: net(plan, request) }];
      });
      return plans.sort((a, b) => b.value - a.value)[0]?.plan;
    });
    return { plan: result ?? undefined, spent };
  };
});

/** The path of at most four pools that pays most and keeps the order of tokens that the chunks before have set. */
function bestPath(
  from: Node,
  to: Node,
  amount: number,
  after: ReadonlyMap<Node, ReadonlySet<Node>>,
): readonly Side[] | undefined {
  let layer: readonly Label[] = [{ node: from, amount, side: undefined, before: undefined }];
  let found: Label | undefined;
  for (let hop = 1; hop <= MOST_HOPS; hop++) {
    const next = new Map<Node, Label>();
    for (const label of layer) {
      if (label.node === to) continue;
      for (const side of label.node.sides) {
        const { curve, to: node } = side;
        if (node.away > MOST_HOPS - hop || node === from || curve === undefined || label.amount > curve.maxSell)
          continue;
        const pays = curve.buyAmountFor(label.amount);
        if (!(pays > (next.get(node)?.amount ?? 0)) || visits(label, node) || leads(after, node, label.node)) continue;
        next.set(node, { node, amount: pays, side, before: label });
      }
    }
    const arrived = next.get(to);
    if (arrived !== undefined && arrived.amount > (found?.amount ?? 0)) found = arrived;
    layer = [...next.values()];
  }
  const path: Side[] = [];
  for (let label = found; label?.side !== undefined; label = label.before) path.unshift(label.side);
  return path.length === 0 ? undefined : path;
}

function leads(after: ReadonlyMap<Node, ReadonlySet<Node>>, from: Node, to: Node): boolean {
  if (from === to) return true;
  for (const next of after.get(from) ?? []) if (leads(after, next, to)) return true;
  return false;
}

function visits(label: Label, node: Node): boolean {
  for (let at: Label | undefined = label; at !== undefined; at = at.before) if (at.node === node) return true;
  return false;
}
