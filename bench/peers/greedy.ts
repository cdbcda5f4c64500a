/**
 * The plain references as peers, over paths of at most four pools. With 1 as its argument, the best single path: of the
 * paths that bring most with one pool, two, three and four, the best after gas. With 1000, a greedy fill: the trade in
 * equal chunks, each along the path that brings most for it after all chunks before; where gas counts or pools refuse
 * such chunks, the best after gas of 1, 10, 100 and 1,000 chunks.
 */

import { gasIn } from "../../fixtures/universes/gas-cost.ts";
import type { Address } from "../../src/domain/address.ts";
import type { PoolId } from "../../src/domain/route.ts";
import { mathOf, type Pool } from "../../src/pools/pool.ts";
import { isRejection, type PoolCurve } from "../../src/pools/pool-math.ts";
import { mayTouchAgain } from "../../src/routing/edges/may-touch-again.ts";
import { MOST_HOPS, type PlannedPath, replay } from "./replay.ts";
import type { PeerRequest } from "./requests.ts";
import { type PlanAnswer, serve, timed } from "./serve.ts";

interface Node {
  readonly token: Address;
  readonly sides: Side[];
  /** Pools from here to the bought token at least, counted for the request at hand. */
  away: number;
  /** The tokens that chunks so far lead on to from this one, over others or not. */
  readonly after: Set<Node>;
}

interface Side {
  readonly from: Node;
  readonly to: Node;
  readonly pool: Pool;
  readonly direction: { readonly sell: number; readonly buy: number };
  /** The pool's curve as it is now, after the chunks so far. */
  curve: PoolCurve | undefined;
  /** Whether chunks so far have taken another side of a pool that a route touches only once. */
  barred: boolean;
  /** By hop, what was last asked of the curve, and what it pays for that. */
  readonly asked: Float64Array;
  readonly pays: Float64Array;
}

interface Label {
  readonly node: Node;
  readonly amount: number;
  readonly side: Side | undefined;
  readonly before: Label | undefined;
}

type Plan = readonly PlannedPath[];

const COUNTS = [1, 10, 100, 1000];
const most = Number(process.argv[2]);

serve<PlanAnswer>((universe) => {
  const nodes = new Map<Address, Node>();
  const sidesOf = new Map<PoolId, Side[]>();
  const pools = new Map(universe.pools.map((pool) => [pool.id, pool]));
  const nodeOf = (token: Address): Node => {
    const known = nodes.get(token) ?? { token, sides: [], away: MOST_HOPS, after: new Set() };
    nodes.set(token, known);
    return known;
  };
  const curveOf = (pool: Pool, direction: Side["direction"], state = pool.state) =>
    mathOf(pool).curve(state, direction, universe.time);
  for (const pool of universe.pools) {
    const sides = pool.tokens.flatMap((from, sell) =>
      pool.tokens.flatMap((to, buy): Side[] => {
        if (sell === buy) return [];
        const direction = { sell, buy };
        const [asked, pays] = [new Float64Array(MOST_HOPS + 1), new Float64Array(MOST_HOPS + 1)];
        const [curve, ends] = [curveOf(pool, direction), { from: nodeOf(from), to: nodeOf(to) }];
        return [{ ...ends, pool, direction, curve, barred: false, asked, pays }];
      }),
    );
    for (const side of sides) side.from.sides.push(side);
    sidesOf.set(pool.id, sides);
  }

  /** Gives the sides of a pool the curves of a state that a chunk over one of them has left; of its own without one. */
  function setState(id: PoolId, left?: { readonly state: Pool["state"]; readonly by: Side }): void {
    for (const side of sidesOf.get(id) ?? []) {
      side.curve = curveOf(side.pool, side.direction, left?.state);
      side.barred = left !== undefined && left.by !== side && !mayTouchAgain(side.pool);
      side.asked.fill(0);
    }
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

  function fill({ sellToken, buyToken, sellAmount }: PeerRequest, chunks: number): Plan | undefined {
    const states = new Map<PoolId, Pool["state"]>();
    const paths = new Map<string, PlannedPath>();
    const one = sellAmount < BigInt(chunks) ? 1n : sellAmount / BigInt(chunks);
    let left = sellAmount;
    try {
      while (left > 0n) {
        const sell = left < 2n * one ? left : one;
        const path = bestOf(bestPaths(nodeOf(sellToken), nodeOf(buyToken), Number(sell)));
        if (path === undefined) return undefined;
        let amount = sell;
        for (const side of path) {
          const { pool, direction, from, to } = side;
          const quote = mathOf(pool).quoteExactIn(states.get(pool.id) ?? pool.state, direction, amount, universe.time);
          if (isRejection(quote)) return undefined;
          states.set(pool.id, quote.next);
          setState(pool.id, { state: quote.next, by: side });
          follow(from, to);
          amount = quote.amount;
        }
        const { hops } = planned(path, sell);
        const key = hops.map(({ pool, buyToken: token }) => pool + token).join();
        paths.set(key, { sellAmount: (paths.get(key)?.sellAmount ?? 0n) + sell, hops });
        left -= sell;
      }
      return [...paths.values()];
    } finally {
      for (const id of states.keys()) setState(id);
      for (const node of nodes.values()) node.after.clear();
    }
  }

  function single({ sellToken, buyToken, sellAmount }: PeerRequest): readonly Plan[] {
    const labels = bestPaths(nodeOf(sellToken), nodeOf(buyToken), Number(sellAmount));
    return labels.map((label) => [planned(sidesTo(label), sellAmount)]);
  }

  /** Notes that a chunk has gone from one token to another. */
  function follow(from: Node, to: Node): void {
    if (from.after.has(to)) return;
    for (const node of nodes.values())
      if (node === from || node.after.has(from)) for (const further of [to, ...to.after]) node.after.add(further);
  }

  /** What a plan brings after gas; undefined where it cannot be carried out. */
  function net(plan: Plan, request: PeerRequest): bigint | undefined {
    const played = replay(plan, request, pools, universe.time);
    return played.ok ? played.buyAmount - gasIn(universe, request, played.gas) : undefined;
  }

  function best(plans: readonly Plan[], request: PeerRequest): Plan | undefined {
    let [found, value]: [Plan | undefined, bigint | undefined] = [undefined, undefined];
    for (const plan of plans) {
      const brings = net(plan, request);
      if (brings !== undefined && (value === undefined || brings > value)) [found, value] = [plan, brings];
    }
    return found;
  }

  function filled(request: PeerRequest): Plan | undefined {
    const whole = request.gasPrice === 0n ? fill(request, most) : undefined;
    if (whole !== undefined && net(whole, request) !== undefined) return whole;
    const plans = COUNTS.flatMap((chunks) => {
      const plan = chunks <= most ? fill(request, chunks) : undefined;
      return plan === undefined ? [] : [plan];
    });
    return best(plans, request);
  }

  return async (request) => {
    const { result, error, spent } = await timed(() => {
      measure(nodeOf(request.sellToken), nodeOf(request.buyToken));
      return most === 1 ? best(single(request), request) : filled(request);
    });
    if (error !== undefined) throw error;
    return { plan: result, spent };
  };
});

/**
 * For one pool, two, and so on, the path that brings most among those that bring more than shorter ones and keep the order
 * of tokens that the chunks before have set.
 */
function bestPaths(from: Node, to: Node, amount: number): readonly Label[] {
  let layer: readonly Label[] = [{ node: from, amount, side: undefined, before: undefined }];
  const found: Label[] = [];
  for (let hop = 1; hop <= MOST_HOPS; hop++) {
    const next = new Map<Node, Label>();
    for (const label of layer) {
      if (label.node === to) continue;
      for (const side of label.node.sides) {
        const node = side.to;
        if (node.away > MOST_HOPS - hop || node === from || side.barred || isTouchedBy(label, side.pool)) continue;
        const pays = payOf(side, hop, label.amount);
        if (pays > (next.get(node)?.amount ?? 0) && !comesBack(label, node))
          next.set(node, { node, amount: pays, side, before: label });
      }
    }
    const arrived = next.get(to);
    if (arrived !== undefined && arrived.amount > (found.at(-1)?.amount ?? 0)) found.push(arrived);
    layer = [...next.values()];
  }
  return found;
}

/** What a pool pays for an amount on a hop, in whole base units. */
function payOf(side: Side, hop: number, amount: number): number {
  if (side.asked[hop] === amount) return side.pays[hop] as number;
  const { curve } = side;
  const pays = curve === undefined || amount > curve.maxSell ? 0 : Math.floor(curve.buyAmountFor(amount));
  side.asked[hop] = amount;
  side.pays[hop] = pays;
  return pays;
}

function bestOf(labels: readonly Label[]): readonly Side[] | undefined {
  const last = labels.at(-1);
  return last === undefined ? undefined : sidesTo(last);
}

function sidesTo(last: Label): readonly Side[] {
  const path: Side[] = [];
  for (let label: Label | undefined = last; label?.side !== undefined; label = label.before) path.unshift(label.side);
  return path;
}

function planned(path: readonly Side[], sellAmount: bigint): PlannedPath {
  return {
    sellAmount,
    hops: path.map(({ pool, from, to }) => ({ pool: pool.id, sellToken: from.token, buyToken: to.token })),
  };
}

/** Whether a path has touched a pool that a route touches only once. */
function isTouchedBy(label: Label, pool: Pool): boolean {
  if (mayTouchAgain(pool)) return false;
  for (let at: Label | undefined = label; at !== undefined; at = at.before) if (at.side?.pool === pool) return true;
  return false;
}

/** Whether going on to a token would lead back to one of the path, by the path itself or by chunks before. */
function comesBack(label: Label, node: Node): boolean {
  for (let at: Label | undefined = label; at !== undefined; at = at.before)
    if (at.node === node || node.after.has(at.node)) return true;
  return false;
}
