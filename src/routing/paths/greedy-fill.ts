import type { Edge } from "../edges/edges.ts";
import type { Goal } from "../flow/goal.ts";
import type { Session } from "../session/session.ts";
import { chunkPaths } from "./chunk-paths.ts";
import { type Filled, filledPools } from "./filled-pools.ts";

/** Equal parts that a trade is cut into, and fewer where these are only to say which pools to begin with. */
const CHUNKS = 30;
export const FEW_CHUNKS = 16;
/** The most parts that a sale is cut into finely, and pools that may be looked at for all of them. */
const MOST_CHUNKS = 240;
const FINE_STEPS = 50_000;
/** How many times the first of these the last one is: what is best for little alone is met by parts that are as little. */
const SPREAD = 16;
/** The most parts where an amount is bought, and how much more each sells than the one before beyond the first ones. */
const MOST_PURCHASES = 90;
const GROWTH = 1.25;
/** Parts at least that such a trade is to be cut into, and how often a smaller size is tried for that. */
const LEAST_PURCHASES = 24;
const MOST_SIZES = 12;
/** Pools looked at after which the chunks so far have to do. */
const MOST_STEPS = 1_000_000;

/** A trade that was filled by chunks. */
export interface GreedyFill {
  /** Its edges, those that carry most value at rest first. */
  readonly edges: readonly Edge[];
  /** What each of these sells. */
  readonly sells: readonly number[];
  readonly sellAmount: number;
  /** What one more unit of each token on the way would bring. */
  readonly logPrices: ReadonlyMap<number, number>;
}

/**
 * A trade that is filled chunk by chunk, each along the path that pays most for it after all chunks before, in whole base
 * units. Where pools stand off each other, a flow over all pools at once is one in cycles; chunks, which no route of
 * theirs leads back, say which pools a trade can do with. For an amount to buy chunks are sold until they pay it, of a size
 * that takes a good many of them. `parts`: how many parts an amount to sell is cut into.
 */
export function greedyFill(session: Session, goal: Goal, parts = CHUNKS): GreedyFill {
  if (goal.kind === "sell") return fillBy(session, goal, goal.amount / parts, parts);
  const { graph, source, sink } = session;
  let size = (goal.amount * (graph.rest[sink] as number)) / (graph.rest[source] as number) / CHUNKS;
  for (let attempt = 0; ; attempt++) {
    const filled = fillBy(session, goal, size, MOST_PURCHASES);
    if (filled.chunks >= LEAST_PURCHASES || filled.isShort || attempt === MOST_SIZES || session.over()) return filled;
    size = filled.sellAmount / CHUNKS;
  }
}

/**
 * The same for an amount to sell in as many chunks as are cheap, over pools of several tokens as the chunks before leave them,
 * whatever pairs these took.
 */
export function fineFill(session: Session, goal: Goal): GreedyFill {
  return fillBy(session, goal, Math.max(1, goal.amount / CHUNKS), CHUNKS, true);
}

/** A fill by chunks that begin with this size, so many of them at most; `fine`: with parts of it, by any pairs of pools that may be touched again. */
function fillBy(
  session: Session,
  goal: Goal,
  first: number,
  atMost: number,
  fine = false,
): GreedyFill & { chunks: number; isShort: boolean } {
  const { graph, sink } = session;
  const { to, from, rest, edgeAt } = graph;
  const memory = session.workspace.scratch;
  memory.begin();
  const pools = filledPools(session, fine, memory);
  const { filled } = pools;
  const paths = chunkPaths(session, pools, fine, memory);

  const enough = session.steps + MOST_STEPS;
  const isSale = goal.kind === "sell";
  let most = atMost;
  let size = first;
  let growth = 1;
  let before: readonly number[] = [];
  let [sold, bought, chunks] = [0, 0, 0];
  if (fine) {
    const begun = session.steps;
    before = paths.best(size, []) ?? [];
    const cheap = Math.floor(FINE_STEPS / (session.steps - begun));
    most = Math.min(MOST_CHUNKS, Math.max(CHUNKS, cheap));
    growth = SPREAD ** (1 / (most - 1));
    size = Math.max(1, (goal.amount * (growth - 1)) / (growth ** most - 1));
  }
  while (chunks < most && session.steps < enough && !session.over()) {
    if (fine) size = Math.min(size, goal.amount - sold);
    if (!(size > 0)) break;
    const path = paths.best(size, before);
    if (path === undefined) break;
    before = path;
    const pays = fill(path, size);
    chunks++;
    sold += size;
    bought += pays;
    if (isSale) {
      size *= growth;
      continue;
    }
    if (bought >= goal.amount) {
      sold -= (size * (bought - goal.amount)) / pays;
      break;
    }
    if (chunks >= CHUNKS) size *= GROWTH;
  }
  const value = (slot: number) => (filled.get(slot) as Filled).paid * (rest[to[slot] as number] as number);
  const slots = [...filled.keys()].sort((a, b) => value(b) - value(a));
  return {
    edges: slots.map((slot) => edgeAt(slot)),
    sells: slots.map((slot) => (filled.get(slot) as Filled).sold),
    sellAmount: sold,
    logPrices: pricesAt(slots),
    chunks,
    isShort: bought < goal.amount,
  };

  /** Takes a chunk along a path; what it pays. */
  function fill(path: readonly number[], size: number): number {
    paths.take(path);
    return path.reduce((amount, slot) => pools.fill(slot, amount), size);
  }

  /** What one more unit of each token brings over the slot that took most of it. */
  function pricesAt(slots: readonly number[]): Map<number, number> {
    const widest = new Map<number, number>();
    const soldOver = (slot: number) => (filled.get(slot) as Filled).sold;
    for (const slot of slots) {
      const other = widest.get(from[slot] as number);
      if (other === undefined || soldOver(slot) > soldOver(other)) widest.set(from[slot] as number, slot);
    }
    const prices = new Map([[sink, 0]]);
    const priceOf = (node: number): number => {
      const known = prices.get(node);
      if (known !== undefined) return known;
      const slot = widest.get(node) as number;
      const { curve } = edgeAt(slot);
      const price = Math.log(curve.marginalRate(soldOver(slot))) + priceOf(to[slot] as number);
      prices.set(node, price);
      return price;
    };
    for (const node of widest.keys()) priceOf(node);
    return prices;
  }
}
