import type { Edge } from "../edges/edges.ts";
import type { Goal } from "../flow/goal.ts";
import type { Session } from "../session/session.ts";
import { type Chunks, createChunks, type Filled } from "./chunks.ts";

/** Equal parts that a trade is cut into. */
const CHUNKS = 30;
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
  readonly sellAmount: number;
  /** What one more unit of each token on the way would bring. */
  readonly logPrices: ReadonlyMap<number, number>;
}

/**
 * A trade that is filled chunk by chunk, each along the path that pays most for it after all chunks before, in whole base
 * units. It finds room in pools up to nearly all that they hold. For an amount to buy chunks are sold until they pay it, of a
 * size that takes a good many of them.
 */
export function greedyFill(session: Session, goal: Goal): GreedyFill {
  if (goal.kind === "sell") return fillBy(session, goal, goal.amount / CHUNKS, CHUNKS);
  const { graph, source, sink } = session;
  let size = (goal.amount * (graph.rest[sink] as number)) / (graph.rest[source] as number) / CHUNKS;
  for (let attempt = 0; ; attempt++) {
    const filled = fillBy(session, goal, size, MOST_PURCHASES);
    if (filled.chunks >= LEAST_PURCHASES || filled.isShort || attempt === MOST_SIZES || session.over()) return filled;
    size = filled.sellAmount / CHUNKS;
  }
}

/** A fill by chunks that begin with this size, so many of them at most. */
function fillBy(
  session: Session,
  goal: Goal,
  first: number,
  atMost: number,
): GreedyFill & { readonly chunks: number; readonly isShort: boolean } {
  const { to, rest, edgeAt } = session.graph;
  const chunks = createChunks(session);
  const enough = session.steps + MOST_STEPS;
  let size = first;
  let [sold, bought, count] = [0, 0, 0];
  while (count < atMost && session.steps < enough && !session.over() && size > 0) {
    const pays = chunks.sell(size);
    if (pays === undefined) break;
    count++;
    sold += size;
    bought += pays;
    if (goal.kind === "sell") continue;
    if (bought >= goal.amount) {
      sold -= (size * (bought - goal.amount)) / pays;
      break;
    }
    if (count >= CHUNKS) size *= GROWTH;
  }
  const value = (slot: number) => (chunks.filled.get(slot) as Filled).paid * (rest[to[slot] as number] as number);
  const slots = [...chunks.filled.keys()].sort((a, b) => value(b) - value(a));
  return {
    edges: slots.map((slot) => edgeAt(slot)),
    sellAmount: sold,
    logPrices: pricesAfter(session, chunks),
    chunks: count,
    isShort: bought < goal.amount,
  };
}

/** What one more unit of each token brings over the slot that took most of it. */
function pricesAfter({ graph, sink }: Session, { filled }: Chunks): Map<number, number> {
  const { from, to, edgeAt } = graph;
  const widest = new Map<number, number>();
  for (const [slot, { sold }] of filled) {
    const other = filled.get(widest.get(from[slot] as number) ?? -1);
    if (other === undefined || sold > other.sold) widest.set(from[slot] as number, slot);
  }
  const prices = new Map([[sink, 0]]);
  const priceOf = (node: number): number => {
    const known = prices.get(node);
    if (known !== undefined) return known;
    const slot = widest.get(node) as number;
    const rate = edgeAt(slot).curve.marginalRate((filled.get(slot) as Filled).sold);
    const price = Math.log(rate) + priceOf(to[slot] as number);
    prices.set(node, price);
    return price;
  };
  for (const node of widest.keys()) priceOf(node);
  return prices;
}
