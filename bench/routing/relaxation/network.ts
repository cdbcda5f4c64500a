import type { Address } from "../../../src/domain/address.ts";
import { fillsOf, type PoolId, type Route } from "../../../src/domain/route.ts";
import { mathOf, type Pool } from "../../../src/pools/pool.ts";

/** One direction of a pool that pays held * x / (depth + x) for x, in base units. */
export interface Edge {
  readonly pool: PoolId;
  /** Numbers of the sold and of the bought token. */
  readonly from: number;
  readonly to: number;
  readonly depth: number;
  readonly held: number;
  readonly gas: number;
}

/** A path of pools and the base units of its first token that are sold along it. */
export interface PathFlow {
  readonly path: readonly Edge[];
  readonly amount: number;
}

/** Part of the amount below which a remainder of a route's flow is rounding. */
const NOTHING = 1e-12;

/** The pools of a set that keep a product constant, as directed edges between numbered tokens. */
export class Network {
  readonly #numbers = new Map<Address, number>();
  readonly #edgesFrom: Edge[][] = [];
  readonly #edges = new Map<string, Edge>();

  constructor(pools: readonly Pool[]) {
    for (const pool of pools)
      for (const sell of pool.tokens.keys())
        for (const buy of pool.tokens.keys()) if (sell !== buy) this.#add(pool, sell, buy);
  }

  get tokens(): readonly Address[] {
    return [...this.#numbers.keys()];
  }

  /** Number of a token; a new one for a token that no pool holds. */
  numberOf(token: Address): number {
    let number = this.#numbers.get(token);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(token, number);
      this.#edgesFrom.push([]);
    }
    return number;
  }

  edgesFrom(token: number): readonly Edge[] {
    return this.#edgesFrom[token] as Edge[];
  }

  /** Fewest pools between each token and this one. */
  distancesFrom(start: number): readonly number[] {
    const distances = new Array<number>(this.#edgesFrom.length).fill(Number.POSITIVE_INFINITY);
    distances[start] = 0;
    const queue = [start];
    for (const token of queue)
      for (const { to } of this.edgesFrom(token)) {
        if (distances[to] !== Number.POSITIVE_INFINITY) continue;
        distances[to] = (distances[token] as number) + 1;
        queue.push(to);
      }
    return distances;
  }

  /** An exact-in route as paths; undefined if it uses a pool that is not in the network. */
  pathsOf(route: Route): readonly PathFlow[] | undefined {
    const shares = this.#sharesOf(route);
    if (shares === undefined) return undefined;
    const [start, end] = [this.numberOf(route.sellToken), this.numberOf(route.buyToken)];
    const paths: PathFlow[] = [];
    for (;;) {
      const path = widestPath(shares, start, end);
      const share = Math.min(...path.map((edge) => shares.get(edge) as number));
      if (path.length === 0 || share <= NOTHING) return paths;
      for (const edge of path) shares.set(edge, (shares.get(edge) as number) - share);
      paths.push({ path, amount: share * Number(route.sellAmount) });
    }
  }

  /** Part of the sold amount that each pool of a route trades: what comes to a token is split as the route sells it. */
  #sharesOf(route: Route): Map<Edge, number> | undefined {
    const fills = fillsOf(route);
    const sold = new Map<number, number>();
    for (const { sellToken, sellAmount } of fills) {
      const token = this.numberOf(sellToken);
      sold.set(token, (sold.get(token) ?? 0) + Number(sellAmount));
    }
    const arrived = new Map([[this.numberOf(route.sellToken), 1]]);
    const shares = new Map<Edge, number>();
    for (const { poolId, sellToken, buyToken, sellAmount } of fills) {
      const edge = this.#edges.get(keyOf(poolId, sellToken, buyToken));
      if (edge === undefined) return undefined;
      const share = ((arrived.get(edge.from) ?? 0) * Number(sellAmount)) / (sold.get(edge.from) as number);
      shares.set(edge, share);
      arrived.set(edge.to, (arrived.get(edge.to) ?? 0) + share);
    }
    return shares;
  }

  #add(pool: Pool, sell: number, buy: number): void {
    const outline = mathOf(pool).outline?.(pool.state, { sell, buy });
    if (outline === undefined || !Number.isFinite(outline.depth)) return;
    const [sold, bought] = [pool.tokens[sell] as Address, pool.tokens[buy] as Address];
    const { spot, depth, gas } = outline;
    const edge = {
      pool: pool.id,
      from: this.numberOf(sold),
      to: this.numberOf(bought),
      depth,
      held: spot * depth,
      gas,
    };
    (this.#edgesFrom[edge.from] as Edge[]).push(edge);
    this.#edges.set(keyOf(pool.id, sold, bought), edge);
  }
}

function keyOf(pool: PoolId, sold: Address, bought: Address): string {
  return `${pool} ${sold} ${bought}`;
}

/** The path that takes the edge with the largest share at each token; empty if that leads nowhere. */
function widestPath(shares: ReadonlyMap<Edge, number>, start: number, end: number): readonly Edge[] {
  const path: Edge[] = [];
  for (let token = start; token !== end; ) {
    let widest: Edge | undefined;
    for (const [edge, share] of shares)
      if (edge.from === token && share > (widest === undefined ? 0 : (shares.get(widest) as number))) widest = edge;
    if (widest === undefined) return [];
    path.push(widest);
    token = widest.to;
  }
  return path;
}
