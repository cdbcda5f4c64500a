import { budgetOf } from "../../../fixtures/routing/request.ts";
import { SEARCH_BUDGET } from "../../../src/quoting/search/search-budget.ts";
import { Flow } from "./flow.ts";
import type { Edge, Network, PathFlow } from "./network.ts";

/** Limits on paths, of which some let them do what those of a route may not. */
export interface Relaxation {
  readonly name: string;
  readonly mostPools: number;
  /** Whether a path may come to a token again. */
  readonly revisits: boolean;
  /** Whether all paths need one order of tokens, as those of a route do. */
  readonly isOrdered: boolean;
}

/** A request in floats. Tokens are numbers of the network, amounts base units. */
export interface Trade {
  readonly network: Network;
  readonly sell: number;
  readonly buy: number;
  readonly amount: number;
  /** Bought units that a unit of gas costs. */
  readonly perGas: number;
  /** Bought units that a base unit of each token is worth; 0 where nobody knows. */
  readonly prices: readonly number[];
}

/** A path while it grows: where it stands, with what, and how it came there. */
interface Label {
  readonly token: number;
  readonly amount: number;
  readonly last?: { readonly edge: Edge; readonly before: Label };
}

/** Limits of the answer, which hold for the flows too. */
const { maxHops, maxFills } = budgetOf(SEARCH_BUDGET);
/** Parts of the amount that are moved to a new path. */
const PARCELS = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0003];
/** Paths that are tried for each parcel. */
const TRIED_PATHS = 60;
/** Rounds of a climb, and the relative gain of a round below which it ends: a tenth of a basis point. */
const ROUNDS = 16;
const LEAST_GAIN = 1e-5;
/** Gradient steps in a row, and how often one is made shorter. */
const STEPS = 30;
const SHORTENED = 6;
/** Part of the amount below which a path is dropped. */
const NOTHING = 1e-9;

/**
 * Climbs from a route to flows that pay more under a relaxation. They are feasible there, so that no bound by it can be
 * lower than what the best of them pays. One that pays even more may exist.
 */
export class Climb {
  readonly #trade: Trade;
  readonly #relaxation: Relaxation;
  /** Fewest pools of a path over each token, as far as the token and on from it. */
  readonly #before: readonly number[];
  readonly #after: readonly number[];

  constructor(trade: Trade, relaxation: Relaxation) {
    this.#trade = trade;
    this.#relaxation = relaxation;
    this.#before = trade.network.distancesFrom(trade.sell);
    this.#after = trade.network.distancesFrom(trade.buy);
  }

  /** Base units of the bought token that the best flow found pays, net of gas; undefined if the start is not allowed. */
  from(start: readonly PathFlow[]): number | undefined {
    let flow = this.#flowOver(start);
    if (flow === undefined) return undefined;
    for (let round = 0; round < ROUNDS; round++) {
      const before = this.#netOf(flow);
      for (const parcel of PARCELS) flow = this.#addPaths(flow, parcel);
      flow = this.#shift(this.#dropPools(this.#shift(flow)));
      if (this.#netOf(flow) - before < LEAST_GAIN * Math.abs(before)) break;
    }
    return this.#netOf(flow);
  }

  #netOf(flow: Flow): number {
    return flow.bought - flow.gas * this.#trade.perGas;
  }

  /** The flow over paths of any amounts, scaled to the trade's; undefined where the relaxation does not allow it. */
  #flowOver(paths: readonly PathFlow[]): Flow | undefined {
    const { amount } = this.#trade;
    const kept = paths.filter((one) => one.amount > NOTHING * amount);
    const scale = amount / kept.reduce((sum, one) => sum + one.amount, 0);
    const flow = Flow.over(kept.map((one) => ({ path: one.path, amount: one.amount * scale })));
    if (flow === undefined || flow.edges.length > maxFills) return undefined;
    return this.#relaxation.isOrdered && !flow.isAcyclic() ? undefined : flow;
  }

  /** The better one of a flow and one over other paths. */
  #better(flow: Flow, paths: readonly PathFlow[]): Flow {
    const other = this.#flowOver(paths);
    return other !== undefined && this.#netOf(other) > this.#netOf(flow) ? other : flow;
  }

  /** Moves a part of the amount to the paths that pay most for it, one after the other, wherever that helps. */
  #addPaths(start: Flow, parcel: number): Flow {
    const amount = parcel * this.#trade.amount;
    let flow = start;
    for (const path of this.#bestPaths(start, amount)) {
      const paths = flow.paths.map((one) => ({ path: one.path, amount: one.amount * (1 - parcel) }));
      const same = paths.findIndex((one) => one.path.length === path.length && one.path.every((e, i) => e === path[i]));
      const joined = { path, amount: amount + (paths[same]?.amount ?? 0) };
      flow = this.#better(flow, same < 0 ? [...paths, joined] : paths.with(same, joined));
    }
    return flow;
  }

  /** Shifts amounts between the paths by steps along the gradient. */
  #shift(start: Flow): Flow {
    let flow = start;
    let step = 0.5;
    for (let round = 0; round < STEPS; round++) {
      const gradient = flow.gradient();
      const weighted = flow.paths.reduce((sum, { amount }, k) => sum + amount * (gradient[k] as number), 0);
      const mean = Math.abs(weighted / this.#trade.amount);
      const before = flow;
      for (let tries = 0; tries < SHORTENED && flow === before; tries++) {
        const factorOf = (k: number) =>
          Math.exp(Math.max(-2, Math.min(2, step * ((gradient[k] as number) / mean - 1))));
        flow = this.#better(
          before,
          before.paths.map(({ path, amount }, k) => ({ path, amount: amount * factorOf(k) })),
        );
        step = flow === before ? step / 4 : step * 1.5;
      }
      if (flow === before) break;
    }
    return flow;
  }

  /** Leaves out pools that do not earn their gas, those that trade least first. */
  #dropPools(start: Flow): Flow {
    const worthOf = (edge: Edge) => start.soldTo(edge) * (this.#trade.prices[edge.from] as number);
    let flow = start;
    for (const edge of [...start.edges].sort((a, b) => worthOf(a) - worthOf(b))) {
      const rest = flow.paths.filter(({ path }) => !path.includes(edge));
      if (rest.length > 0 && rest.length < flow.paths.length) flow = this.#better(flow, rest);
    }
    return flow;
  }

  /** The paths that pay most for a parcel on top of a flow; one label a token and length, and one for each last pool. */
  #bestPaths(flow: Flow, parcel: number): readonly (readonly Edge[])[] {
    const { network, sell, buy } = this.#trade;
    const used = new Map(flow.edges.map((edge) => [edge.pool, edge]));
    const found: Label[] = [];
    let labels: Iterable<Label> = [{ token: sell, amount: parcel }];
    for (let pools = 1; pools <= this.#relaxation.mostPools; pools++) {
      const next = new Map<number, Label>();
      const ends = new Map<Edge, Label>();
      for (const label of labels)
        for (const edge of network.edgesFrom(label.token)) {
          if ((used.get(edge.pool) ?? edge) !== edge || !this.#isNear(edge)) continue;
          const amount = this.#paidFor(edge, label.amount, flow.soldTo(edge));
          const best = edge.to === buy ? ends.get(edge) : next.get(edge.to);
          if (!(amount > (best?.amount ?? 0)) || !this.#mayFollow(label, edge)) continue;
          const longer = { token: edge.to, amount, last: { edge, before: label } };
          if (edge.to === buy) ends.set(edge, longer);
          else next.set(edge.to, longer);
        }
      found.push(...ends.values());
      labels = next.values();
    }
    return found
      .sort((a, b) => b.amount - a.amount)
      .slice(0, TRIED_PATHS)
      .map(edgesOf);
  }

  /** Whether the router's own hop limit allows the pool: it lies on some path of so many pools. */
  #isNear({ from, to }: Edge): boolean {
    return (this.#before[from] as number) + 1 + (this.#after[to] as number) <= maxHops;
  }

  /** Payment of a pool for an amount on top of what it sells, less its gas if it is not used yet. */
  #paidFor({ held, depth, gas, to }: Edge, amount: number, sold: number): number {
    const pays = (held * depth * amount) / ((depth + sold) * (depth + sold + amount));
    return sold > 0 ? pays : pays - (gas * this.#trade.perGas) / (this.#trade.prices[to] as number);
  }

  #mayFollow(label: Label, { pool, to }: Edge): boolean {
    if (to === this.#trade.sell) return false;
    for (let at: Label | undefined = label; at !== undefined; at = at.last?.before)
      if (at.last?.edge.pool === pool || (!this.#relaxation.revisits && at.token === to)) return false;
    return true;
  }
}

function edgesOf(label: Label): readonly Edge[] {
  const edges: Edge[] = [];
  for (let { last } = label; last !== undefined; { last } = last.before) edges.push(last.edge);
  return edges.reverse();
}
