import type { Edge } from "../edges/edges.ts";
import { gasOfTrade } from "../flow/goal.ts";
import type { Search } from "../session/search.ts";
import { neededOn, pathDirectionOf } from "./path-direction.ts";

/** The largest amount that contracts know. */
const MOST = 2 ** 256;
/** Relative gain over the best known path from which another one counts: less is float rounding. */
const VISIBLE = 1e-12;

/** A path that is worth more than what is known, from the source on, and the amount that the goal leaves open. */
type Better = (edges: readonly Edge[], amount: number) => void;

/**
 * Tells of every path of at most `maxHops` pools, each of them and each token once, that all of the amount goes over and that
 * is worth more, as in netOf, than `known` says then: whoever is told may raise that. Amounts of which the pools to come cannot
 * make enough are not followed. `mayMatter`: told what is needed at each node with so many pools to come, whether to look at all.
 */
export function everyPath(
  search: Search,
  known: () => number,
  tell: Better,
  isTooMuch: (steps: number) => boolean,
  mayMatter: (isEnough: (node: number, amount: number, left: number) => boolean) => boolean,
): void {
  const { graph, maxHops } = search;
  const { start, to, twin, edgeAt, gas, pool } = graph;
  const way = pathDirectionOf(search, search.side);
  const { begin, end, endOf, lastEnd, traded, atBest, becomes, does, never, sells } = way;
  /** Least proceeds of a path with this gas. */
  const least = (gas: number) =>
    sells ? Math.max(1, known() + search.costPerGas * gas) : Math.min(MOST, -known() - search.costPerGas * gas);
  const neededAt = neededOn(search, way, least(search.leastGas), isTooMuch);
  if (!mayMatter((node, amount, left) => does(amount, neededAt(node, left)))) return;
  if (!does(search.amount, neededAt(begin, maxHops)) || isTooMuch(0)) return;
  const closing = new Map<number, number[]>();
  for (let slot = start[end] as number; slot < lastEnd; slot++) {
    const node = to[slot] as number;
    const last = traded(twin[slot] as number);
    const others = closing.get(node);
    if (others === undefined) closing.set(node, [last]);
    else others.push(last);
  }
  const path: Edge[] = [];
  const met = [begin];
  const over = (slot: number, amount: number, needed: number): number | undefined => {
    if (
      !does(atBest(slot, amount), needed) ||
      path.some((edge) => edge.poolNumber === pool[slot]) ||
      !search.allowsSlot(slot)
    )
      return;
    const next = becomes(edgeAt(slot), amount);
    return next !== undefined && does(next, needed) ? next : undefined;
  };
  const gasBy = (slot: number, amount: number, next: number) =>
    search.costPerGas === 0 ? 0 : gasOfTrade(search, edgeAt(slot), sells ? amount : next);
  const close = (node: number, amount: number, spent: number) => {
    const last = closing.get(node) ?? [];
    search.work.steps += last.length;
    for (const slot of last) {
      const next = over(slot, amount, least(spent + (gas[slot] as number)));
      if (next === undefined) continue;
      const bar = least(spent + gasBy(slot, amount, next));
      if (sells ? next <= bar * (1 + VISIBLE) && bar > 1 : next >= bar * (1 - VISIBLE)) continue;
      const whole = [...path, edgeAt(slot)];
      tell(sells ? whole : whole.reverse(), next);
    }
  };
  const walk = (node: number, amount: number, spent: number, left: number) => {
    if (isTooMuch(0)) return;
    close(node, amount, spent);
    if (left === 1) return;
    search.work.steps += endOf(node) - (start[node] as number);
    for (let at = start[node] as number; at < endOf(node); at++) {
      const target = to[at] as number;
      const needed = neededAt(target, left - 1);
      if (needed === never || target === end || met.includes(target)) continue;
      const slot = traded(at);
      const next = over(slot, amount, needed);
      if (next === undefined) continue;
      path.push(edgeAt(slot));
      met.push(target);
      walk(target, next, spent + gasBy(slot, amount, next), left - 1);
      met.pop();
      path.pop();
    }
  };
  walk(begin, search.amount, 0, maxHops);
}
