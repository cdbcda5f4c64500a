import type { Address } from "../../../src/domain/address.ts";
import type { PoolId } from "../../../src/domain/route.ts";
import { mathOf, type Pool } from "../../../src/pools/pool.ts";
import { isRejection, type PoolCurve } from "../../../src/pools/pool-math.ts";
import { mayUseAgain } from "../../../src/routing/edges/edges.ts";
import { MAX_HOPS, type PlannedPath } from "../meeting/replay.ts";

/** A trade without its gas. */
export interface Sale {
  readonly sellToken: Address;
  readonly buyToken: Address;
  readonly sellAmount: bigint;
}

/** Paths and what is sold along each. */
export type Plan = readonly PlannedPath[];

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
  /** Whether chunks so far have taken another side of a pool that a route uses only once. */
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

/** Best single paths and greedy fills of at most `MAX_HOPS` pools per path, over one set of pools at one time. */
export class GreedySearch {
  readonly #time: bigint;
  readonly #nodes = new Map<Address, Node>();
  readonly #sidesOf = new Map<PoolId, Side[]>();

  constructor({ pools, time }: { readonly pools: readonly Pool[]; readonly time: bigint }) {
    this.#time = time;
    for (const pool of pools) {
      const sides = pool.tokens.flatMap((from, sell) =>
        pool.tokens.flatMap((to, buy): Side[] => {
          if (sell === buy) return [];
          const direction = { sell, buy };
          const [asked, pays] = [new Float64Array(MAX_HOPS + 1), new Float64Array(MAX_HOPS + 1)];
          const [curve, ends] = [this.#curveOf(pool, direction), { from: this.#nodeOf(from), to: this.#nodeOf(to) }];
          return [{ ...ends, pool, direction, curve, barred: false, asked, pays }];
        }),
      );
      for (const side of sides) side.from.sides.push(side);
      this.#sidesOf.set(pool.id, sides);
    }
  }

  /** For one pool, two, and so on, the path that brings most, where that is more than shorter ones bring. */
  singles({ sellToken, buyToken, sellAmount }: Sale): readonly Plan[] {
    const [from, to] = [this.#nodeOf(sellToken), this.#nodeOf(buyToken)];
    this.#measure(from, to);
    return bestPaths(from, to, Number(sellAmount)).map((label) => [planned(sidesTo(label), sellAmount)]);
  }

  /** The trade in equal chunks, each along the path that brings most for it after all before; undefined if a pool refuses. */
  fill({ sellToken, buyToken, sellAmount }: Sale, chunks: number): Plan | undefined {
    const [from, to] = [this.#nodeOf(sellToken), this.#nodeOf(buyToken)];
    this.#measure(from, to);
    const states = new Map<PoolId, Pool["state"]>();
    const paths = new Map<string, PlannedPath>();
    const one = sellAmount < BigInt(chunks) ? 1n : sellAmount / BigInt(chunks);
    let left = sellAmount;
    try {
      while (left > 0n) {
        const sell = left < 2n * one ? left : one;
        const path = bestOf(bestPaths(from, to, Number(sell)));
        if (path === undefined || !this.#take(path, sell, states)) return undefined;
        const { hops } = planned(path, sell);
        const key = hops.map(({ pool, buyToken: token }) => pool + token).join();
        paths.set(key, { sellAmount: (paths.get(key)?.sellAmount ?? 0n) + sell, hops });
        left -= sell;
      }
      return [...paths.values()];
    } finally {
      for (const id of states.keys()) this.#setState(id);
      for (const node of this.#nodes.values()) node.after.clear();
    }
  }

  /** Sells a chunk along a path; false where a pool refuses it. */
  #take(path: readonly Side[], sell: bigint, states: Map<PoolId, Pool["state"]>): boolean {
    let amount = sell;
    for (const side of path) {
      const { pool, direction, from, to } = side;
      const quote = mathOf(pool).quoteExactIn(states.get(pool.id) ?? pool.state, direction, amount, this.#time);
      if (isRejection(quote)) return false;
      states.set(pool.id, quote.next);
      this.#setState(pool.id, { state: quote.next, by: side });
      this.#follow(from, to);
      amount = quote.amount;
    }
    return true;
  }

  #nodeOf(token: Address): Node {
    const known = this.#nodes.get(token) ?? { token, sides: [], away: MAX_HOPS, after: new Set() };
    this.#nodes.set(token, known);
    return known;
  }

  #curveOf(pool: Pool, direction: Side["direction"], state = pool.state): PoolCurve | undefined {
    return mathOf(pool).curve(state, direction, this.#time);
  }

  /** Gives the sides of a pool the curves of a state that a chunk over one of them has left; of its own without one. */
  #setState(id: PoolId, left?: { readonly state: Pool["state"]; readonly by: Side }): void {
    for (const side of this.#sidesOf.get(id) ?? []) {
      side.curve = this.#curveOf(side.pool, side.direction, left?.state);
      side.barred = left !== undefined && left.by !== side && !mayUseAgain(side.pool);
      side.asked.fill(0);
    }
  }

  /** Sets `away`; tokens that lead nowhere but back count as out of reach. */
  #measure(from: Node, to: Node): void {
    for (const node of this.#nodes.values()) node.away = MAX_HOPS;
    const dead = new Set<Node>();
    for (let grown = -1; grown !== dead.size; ) {
      grown = dead.size;
      for (const node of this.#nodes.values())
        if (node !== from && node !== to && !dead.has(node))
          if (new Set(node.sides.map((side) => side.to).filter((other) => !dead.has(other))).size < 2) dead.add(node);
    }
    to.away = 0;
    let edge = [to];
    for (let hops = 1; hops < MAX_HOPS; hops++) {
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

  /** Notes that a chunk has gone from one token to another. */
  #follow(from: Node, to: Node): void {
    if (from.after.has(to)) return;
    for (const node of this.#nodes.values())
      if (node === from || node.after.has(from)) for (const further of [to, ...to.after]) node.after.add(further);
  }
}

/**
 * For one pool, two, and so on, the path that brings most among those that bring more than shorter ones and keep the order
 * of tokens that the chunks before have set.
 */
function bestPaths(from: Node, to: Node, amount: number): readonly Label[] {
  let layer: readonly Label[] = [{ node: from, amount, side: undefined, before: undefined }];
  const found: Label[] = [];
  for (let hop = 1; hop <= MAX_HOPS; hop++) {
    const next = new Map<Node, Label>();
    for (const label of layer) {
      if (label.node === to) continue;
      for (const side of label.node.sides) {
        const node = side.to;
        if (node.away > MAX_HOPS - hop || node === from || side.barred || isUsedBy(label, side.pool)) continue;
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

/** Amount that a pool pays for an amount on a hop, in whole base units. */
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

/** Whether a path has used a pool that a route uses only once. */
function isUsedBy(label: Label, pool: Pool): boolean {
  if (mayUseAgain(pool)) return false;
  for (let at: Label | undefined = label; at !== undefined; at = at.before) if (at.side?.pool === pool) return true;
  return false;
}

/** Whether going on to a token would lead back to one of the path, by the path itself or by chunks before. */
function comesBack(label: Label, node: Node): boolean {
  for (let at: Label | undefined = label; at !== undefined; at = at.before)
    if (at.node === node || node.after.has(at.node)) return true;
  return false;
}
