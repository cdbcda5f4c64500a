import type { ChargedEdge } from "../charge/charged-dual.ts";
import type { Edge } from "../edges/edges.ts";
import type { Session } from "../session/session.ts";

/** Part of the trade, and of what goes through a token, that may be missing there without a link. */
const SLIGHT = 1e-3;
const SLIGHTLY = 0.1;
/** How often tokens are gone through: a link may leave another token without. */
const MOST_ROUNDS = 4;
/** The least part of a touch that counts, unless it carries more than that of the trade. */
const LEAST_PART = 0.1;
/** Part of the trade that a link is taken to carry at least. */
const LEAST_CARRIED = 1e-6;

/** What prices make of edges: parts of touches, and what a whole one sells. */
interface Taken {
  readonly touched: readonly Pick<ChargedEdge, "edge" | "part" | "sells">[];
  readonly logPrices: ReadonlyMap<number, number>;
}

/**
 * The edges that a trade takes at least a part of a touch of, those that carry most first, as far as they form no cycle,
 * and links between their tokens. Next to nothing of a touch of a deep pool carries all that others need, and how much that
 * is cannot be told: where nothing, or far too little, brings what a token's edges take, or takes what they bring, the pool
 * joins that does it best and closes no cycle.
 */
export function linkUp(session: Session, { touched, logPrices }: Taken, worth: number): Edge[] {
  const { source, sink, graph } = session;
  const { start, live, to, twin, spot, deepest, rest, edgeAt } = graph;
  const { place } = session.workspace;
  const price = (node: number) => Math.exp(logPrices.get(node) as number);
  const kept = new Set<Edge>();
  const brought = new Map<number, number>([[source, worth]]);
  const taken = new Map<number, number>([[sink, worth]]);
  /** What the trade has made tokens worth against each other: it leads from those that are worth little to those worth much. */
  const rank = (node: number) =>
    node === source
      ? Number.NEGATIVE_INFINITY
      : node === sink
        ? Number.POSITIVE_INFINITY
        : price(node) / (rest[node] as number);
  const next = new Map<number, Set<number>>();
  const leads = (from: number, target: number, seen = new Set<number>()): boolean => {
    if (from === target) return true;
    seen.add(from);
    for (const node of next.get(from) ?? []) if (!seen.has(node) && leads(node, target, seen)) return true;
    return false;
  };
  const fits = (from: number, target: number): boolean =>
    target !== source && from !== sink && (next.get(from)?.has(target) === true || !leads(target, from));
  const keep = (edge: Edge, value: number): void => {
    kept.add(edge);
    next.set(edge.from, (next.get(edge.from) ?? new Set()).add(edge.to));
    taken.set(edge.from, (taken.get(edge.from) ?? 0) + value);
    brought.set(edge.to, (brought.get(edge.to) ?? 0) + value);
  };
  const carrying = touched
    .map(({ edge, part, sells }) => ({ edge, part, value: part * sells * price(edge.from) }))
    .filter(({ part, value }) => part > LEAST_PART || value > SLIGHT * worth);
  for (const { edge, value } of carrying.sort((a, b) => b.value - a.value))
    if (fits(edge.from, edge.to)) keep(edge, value);
  const known = new Set([...taken.keys(), ...brought.keys()]);
  const nodes = [...known];
  const prices = nodes.map(price);
  nodes.forEach((node, i) => {
    place[node] = i;
  });

  /** The edge that does best what is missing at a token: into it or out of it, and if so only up the ranks. */
  const bestLink = (node: number, value: number, isInto: boolean, isUphill: boolean): Edge | undefined => {
    let most = Number.NEGATIVE_INFINITY;
    let best: Edge | undefined;
    const own = price(node);
    session.steps += (live[node] as number) - (start[node] as number);
    for (let away = start[node] as number; away < (live[node] as number); away++) {
      const other = to[away] as number;
      if (place[other] === -1) continue;
      const slot = isInto ? (twin[away] as number) : away;
      const [from, target] = isInto ? [other, node] : [node, other];
      const there = prices[place[other] as number] as number;
      const [sellPrice, buyPrice] = isInto ? [there, own] : [own, there];
      // No curve pays more than the deepest hyperbola that it may be.
      const stretch = 1 + value / sellPrice / (deepest[slot] as number);
      const atMost = ((spot[slot] as number) * buyPrice) / sellPrice / stretch - 1;
      if (atMost <= most || !session.usable(from, target)) continue;
      const edge = edgeAt(slot);
      if (
        kept.has(edge) ||
        (isUphill && rank(from) >= rank(target)) ||
        !session.allowsSlot(slot) ||
        !fits(from, target)
      )
        continue;
      const earned = (edge.curve.buyAmountFor(value / sellPrice) * buyPrice) / value - 1;
      if (earned <= most) continue;
      most = earned;
      best = edge;
    }
    return best;
  };

  for (let round = 0, changed = true; round < MOST_ROUNDS && changed; round++) {
    changed = false;
    for (const node of known) {
      const [before, after] = [brought.get(node) ?? 0, taken.get(node) ?? 0];
      const value = Math.abs(after - before);
      const isMissing = value > SLIGHT * worth && value > SLIGHTLY * Math.max(before, after);
      const needsIn = node !== source && (!brought.has(node) || (isMissing && after > before));
      const needsOut = node !== sink && (!taken.has(node) || (isMissing && before > after));
      if (!needsIn && !needsOut) continue;
      const least = Math.max(value, LEAST_CARRIED * worth);
      const link = bestLink(node, least, needsIn, true) ?? bestLink(node, least, needsIn, false);
      if (link === undefined) continue;
      keep(link, least);
      changed = true;
    }
  }
  for (const node of nodes) place[node] = -1;
  return [...kept];
}
