import type { Edge } from "../edges/edges.ts";
import { gasOfTrade, isShort, netOf } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { neededOn, pathDirectionOf } from "../paths/path-direction.ts";
import { solveOver } from "../paths/starting-flow.ts";
import type { Search } from "../session/search.ts";
import { type Evaluated, evaluate } from "./integers.ts";
import type { SearchOutcome } from "./search.ts";

/** Paths that are evaluated at most. */
const MAX_TRIED = 64;
/** Pools that are looked at where nothing is known yet. */
const MAX_STEPS = 500_000;
/**
 * Limits for a search that has an answer: a number of steps, or parts of the search's work if the first flow is not what
 * it seemed, and where that is only possible.
 */
const FEW_STEPS = 10_000;
const PART = 1 / 16;
const SMALL_PART = 1 / 64;
/** Ratio of labels to labels before the bought token from which the needed amounts are worth computing. */
const TIMES_AT_END = 20;
/** Relative promise of the first flow over the answer that counts as lost in integers. */
const LOST = 1e-9;

/**
 * The best single path where it is worth more than the best answer known, and the search for the first flow may have missed it:
 * where a larger amount stood in its own way or found no room, smaller ones that came another way were not followed; where
 * there is arbitrage between pools, what gas is worth at spot prices says little; or integers pay less than floats saw of that flow. Undefined
 * where there is none, or where too many pools lie before the bought token for the search to be worth it.
 */
export function missedPath(
  search: Search,
  { found, relaxed }: SearchOutcome,
  known: Evaluated | undefined,
): Evaluated | undefined {
  const { noRoom, labels } = search.missed;
  const isWrong = noRoom || known === undefined || isLost(search, found[0] as Split, known);
  const isIncomplete = isWrong || (relaxed.hopeless && search.costPerGas > 0);
  if (!isIncomplete && labels.length === 0) return undefined;
  const affordable = Math.max(FEW_STEPS, (isWrong ? PART : SMALL_PART) * search.work.steps);
  const steps = known === undefined ? MAX_STEPS : affordable;
  if (TIMES_AT_END * search.slotsAtEnd > steps) return undefined;
  const enough = search.work.steps + steps;
  let best = known;
  let tried = 0;
  everyPath(
    search,
    () => (best === undefined ? Number.NEGATIVE_INFINITY : Number(best.value)),
    (edges, amount) => {
      tried++;
      const flow = solveOver(search, edges, search.side === "exactIn" ? search.amount : amount);
      const answer = flow && evaluate(search, flow);
      if (answer === undefined || "broken" in answer) return;
      if (best === undefined || answer.value > best.value) best = answer;
    },
    (more) => tried >= MAX_TRIED || search.work.steps + more > enough || search.over(),
    (isEnough) => isIncomplete || labels.some(({ node, amount, left }) => isEnough(node, amount, left)),
  );
  return best === known ? undefined : best;
}

/** Whether the first flow does not do the whole trade, or promised more than the answer pays. */
function isLost(search: Search, first: Split, { value }: Evaluated): boolean {
  const promised = netOf(search, first);
  return isShort(search, first) || promised - Number(value) > LOST * Math.abs(promised);
}

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
function everyPath(
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
  const neededAt = neededOn(search, way, least(search.leastGas), { isTooMuch });
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
