import type { Edge } from "../edges/edges.ts";
import type { Goal } from "../flow/goal.ts";
import type { Session } from "../session/session.ts";
import { type Filled, filledPools } from "./filled-pools.ts";
import { entryEndOf, lastPools } from "./last-pools.ts";

/** Equal parts that a trade is cut into. */
const CHUNKS = 30;
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

/** The best amounts of each token that so many pools bring, and the slot that each came by. */
interface Reached {
  readonly amount: Float64Array;
  readonly via: Int32Array;
  readonly nodes: number[];
}

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
 * that takes a good many of them.
 */
export function greedyFill(session: Session, goal: Goal): GreedyFill {
  if (goal.kind === "sell") return fillBy(session, goal, goal.amount / CHUNKS);
  const { graph, source, sink } = session;
  let size = (goal.amount * (graph.rest[sink] as number)) / (graph.rest[source] as number) / CHUNKS;
  for (let attempt = 0; ; attempt++) {
    const filled = fillBy(session, goal, size);
    if (filled.chunks >= LEAST_PURCHASES || filled.isShort || attempt === MOST_SIZES || session.over()) return filled;
    size = filled.sellAmount / CHUNKS;
  }
}

/**
 * The same for an amount to sell in as many chunks as are cheap, over pools of several tokens as the chunks before leave them,
 * whatever pairs these took.
 */
export function fineFill(session: Session, goal: Goal): GreedyFill {
  return fillBy(session, goal, Math.max(1, goal.amount / CHUNKS), true);
}

/** A fill by chunks that begin with this size; `fine`: with parts of it, by any pairs of pools that may be touched again. */
function fillBy(
  session: Session,
  goal: Goal,
  first: number,
  fine = false,
): GreedyFill & { chunks: number; isShort: boolean } {
  const { graph, source, sink, maxHops, endOf } = session;
  const { start, to, from, spot, spotBack, deepest, rest, pool, edgeAt, twin, size: nodes } = graph;
  const memory = session.workspace.scratch;
  memory.begin();
  const { entries, onward } = lastPools(session, memory);
  const pools = filledPools(session, fine, memory);
  const { filled } = pools;
  /** The nodes that chunks lead on to, by node, for those that `passed` has. */
  const after = new Map<number, Set<number>>();
  const passed = memory.ints(nodes).fill(0);
  const known = memory.floats(nodes).fill(0);
  const layers = Array.from({ length: maxHops + 1 }, (): Reached => {
    return { amount: memory.floats(nodes).fill(0), via: memory.ints(nodes), nodes: [] };
  });

  const enough = session.steps + MOST_STEPS;
  const isSale = goal.kind === "sell";
  let most = isSale ? CHUNKS : MOST_PURCHASES;
  let size = first;
  let growth = 1;
  let before: readonly number[] = [];
  let [sold, bought, chunks] = [0, 0, 0];
  if (fine) {
    const begun = session.steps;
    before = bestChunk(size, []) ?? [];
    const cheap = Math.floor(FINE_STEPS / (session.steps - begun));
    most = Math.min(MOST_CHUNKS, Math.max(CHUNKS, cheap));
    growth = SPREAD ** (1 / (most - 1));
    size = Math.max(1, (goal.amount * (growth - 1)) / (growth ** most - 1));
  }
  while (chunks < most && session.steps < enough && !session.over()) {
    if (fine) size = Math.min(size, goal.amount - sold);
    if (!(size > 0)) break;
    const path = bestChunk(size, before);
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
    let amount = size;
    for (const slot of path) {
      amount = pools.fill(slot, amount);
      follow(from[slot] as number, to[slot] as number);
    }
    return amount;
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

  /** The slots of the path that pays most for a chunk; undefined where none pays a base unit. */
  function bestChunk(amount: number, last: readonly number[]): readonly number[] | undefined {
    for (const layer of layers) {
      for (const node of layer.nodes) {
        layer.amount[node] = 0;
        known[node] = 0;
      }
      layer.nodes.length = 0;
    }
    put(0, source, amount, -1);
    const floor = last.reduce((more, slot) => (more > 0 ? pools.pays(slot, more) : 0), last.length > 0 ? amount : 0);
    known[sink] = floor;
    for (let hop = 1; hop < maxHops - 1; hop++) {
      const { nodes, amount: amounts } = layers[hop - 1] as Reached;
      for (const node of nodes) if (node !== sink) spread(hop, node, amounts[node] as number, floor);
    }
    if (maxHops > 1) gather(maxHops - 1, floor);
    close();
    let best = 0;
    for (let hop = 1; hop <= maxHops; hop++)
      if (((layers[hop] as Reached).amount[sink] as number) > ((layers[best] as Reached).amount[sink] as number))
        best = hop;
    if (best === 0) return floor > 0 ? last : undefined;
    const path: number[] = [];
    for (let [hop, node] = [best, sink]; hop > 0; hop--) {
      const slot = (layers[hop] as Reached).via[node] as number;
      path.unshift(slot);
      node = from[slot] as number;
    }
    return path;
  }

  function spread(hop: number, node: number, available: number, floor: number): void {
    const isNext = hop === maxHops - 2;
    const end = endOf(node);
    session.steps += end - (start[node] as number);
    for (let slot = start[node] as number; slot < end; slot++) {
      const target = to[slot] as number;
      if (target === source) continue;
      const most = (spot[slot] as number) * available;
      // Where no chunk was before no curve pays more than the deepest hyperbola that it may be.
      const pays = most / (1 + available / (deepest[slot] as number));
      const least = known[target] as number;
      if (pays <= least && !movedUp(slot, available, least)) continue;
      if (isNext && target !== sink && most * (onward[target] as number) <= floor) continue;
      if (!session.leadsOn(slot, node)) continue;
      step(hop, slot, node, available);
    }
  }

  /** The labels of layer `hop` that the next pool leads to the sink from, and its own: from there there are fewer to look at. */
  function gather(hop: number, floor: number): void {
    const { amount: amounts } = layers[hop - 1] as Reached;
    for (const node of entries) {
      const end = entryEndOf(session, node);
      let least = known[node] as number;
      if (node !== sink) least = Math.max(least, floor / session.entryRate(node));
      session.steps += end - (start[node] as number);
      for (let back = start[node] as number; back < end; back++) {
        const available = amounts[to[back] as number] as number;
        if (available === 0) continue;
        const most = (spotBack[back] as number) * available;
        const slot = twin[back] as number;
        if (most <= least && !movedUp(slot, available, least)) continue;
        // Where no chunk was before no curve pays more than the deepest hyperbola that it may be.
        if (most / (1 + available / (deepest[slot] as number)) <= least) continue;
        step(hop, slot, to[back] as number, available);
        if ((known[node] as number) > least) least = known[node] as number;
      }
    }
  }

  /** The last pools of paths that are as long as they may be: from the sink there are fewer to look at. */
  function close(): void {
    const { amount: amounts } = layers[maxHops - 1] as Reached;
    session.steps += session.entryEnd - (start[sink] as number);
    for (let back = start[sink] as number; back < session.entryEnd; back++) {
      const node = to[back] as number;
      const slot = twin[back] as number;
      const available = amounts[node] as number;
      if (available === 0) continue;
      const least = known[sink] as number;
      if ((spot[slot] as number) * available > least || movedUp(slot, available, least))
        step(maxHops, slot, node, available);
    }
  }

  /** Whether chunks have moved a pool so that it may pay more than this, whatever it paid at rest. */
  function movedUp(slot: number, available: number, least: number): boolean {
    return fine && pools.rate(slot) * available > least;
  }

  /** Goes over a slot where it may be used and brings more than is known. */
  function step(hop: number, slot: number, node: number, available: number): void {
    const target = to[slot] as number;
    if (!pools.isOpen(slot)) return;
    if (passed[node] === 1 && after.get(target)?.has(node)) return;
    if (!session.allowsSlot(slot) || isOnPath(hop - 1, node, target, pool[slot] as number)) return;
    const pays = pools.pays(slot, available);
    if (pays > (known[target] as number)) put(hop, target, pays, slot);
  }

  function put(hop: number, node: number, amount: number, slot: number): void {
    const layer = layers[hop] as Reached;
    if (layer.amount[node] === 0) layer.nodes.push(node);
    layer.amount[node] = amount;
    layer.via[node] = slot;
    known[node] = amount;
  }

  /**
   * Whether the path to a node passes a token or a pool; of fine chunks, which are carried out as they are, a token as well
   * that chunks lead to from there: what coarse ones take that closes a cycle is left out when it is solved.
   */
  function isOnPath(length: number, last: number, token: number, number: number): boolean {
    const behind = fine ? after.get(token) : undefined;
    let node = last;
    for (let hop = length; hop > 0; hop--) {
      const slot = (layers[hop] as Reached).via[node] as number;
      if (node === token || pool[slot] === number || behind?.has(node)) return true;
      node = from[slot] as number;
    }
    return node === token;
  }

  /** Notes that a chunk has gone from one node to another. */
  function follow(first: number, second: number): void {
    if (after.get(first)?.has(second)) return;
    passed[first] = 1;
    passed[second] = 1;
    const further = [second, ...(after.get(second) ?? [])];
    for (const node of [first, ...after.keys()]) {
      if (node !== first && !after.get(node)?.has(first)) continue;
      const set = after.get(node) ?? new Set<number>();
      for (const one of further) set.add(one);
      after.set(node, set);
    }
  }
}
