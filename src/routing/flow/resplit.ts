import type { Edge } from "../edges/edges.ts";
import type { Search } from "../session/search.ts";
import { placeFlow } from "./place-flow.ts";
import { besideOthers, poolUsesOf } from "./pool-uses.ts";
import { type Split, split } from "./solve-split.ts";
import { supportOf, tooFar } from "./support.ts";

/** Limit on re-splits, and relative gain that each must bring. */
const MAX_ROUNDS = 16;
const MIN_GAIN = 1e-9;
/** Part of the way to the next split below which there is none that pays more. */
const MIN_PART = 1 / 16;

/**
 * An exact-in trade over pools that its pool uses move, split until no further split pays more: that of curves that begin where all
 * other pool uses leave their pools tells which way more is paid, but goes too far where pairs of one pool answer each
 * other. Never pays less.
 */
export function resplit(search: Search, flow: Split): Split {
  const { shared } = flow.support;
  let best = flow;
  for (let round = 0; round < MAX_ROUNDS && shared.size > 0 && best.stuck === 0 && !search.over(); round++) {
    const { edges } = flow.support;
    const moved = besideOthers(search.time, shared, edges, poolUsesOf(best.support, best.sells));
    const next = split(search, edges, { side: "exactIn", amount: flow.sellAmount }, best.logPrices, moved);
    const better = next && onTheWay(search, best, next);
    if (better === undefined) break;
    const gain = better.buyAmount - best.buyAmount;
    best = better;
    if (gain < MIN_GAIN * best.buyAmount) break;
  }
  return best;
}

/** The first flow on the way from one to another that pays more, from the far end by halves; undefined when none does. */
function onTheWay(search: Search, from: Split, to: Split): Split | undefined {
  const pays = (flow: Split) => flow.stuck === 0 && flow.buyAmount > from.buyAmount;
  if (pays(to)) return to;
  const [before, after] = [soldBy(from), soldBy(to)];
  const edges = [...new Set([...before.keys(), ...after.keys()])];
  const support = supportOf(search, edges);
  if (support === undefined || tooFar(search, support).size > 0) return undefined;
  const profits = new Map(to.support.edges.map((edge, i) => [edge, to.profits[i] as number]));
  for (let part = 0.5; part >= MIN_PART && !search.over(); part /= 2) {
    const sells = edges.map((edge) => part * (after.get(edge) ?? 0) + (1 - part) * (before.get(edge) ?? 0));
    search.work.steps += edges.length;
    const { sellAmount } = from;
    const next: Split = {
      ...{ support, sellAmount, ...placeFlow(search, support, sellAmount, sells) },
      ...{ profits: edges.map((edge) => profits.get(edge) ?? 0), logPrices: to.logPrices },
    };
    if (pays(next)) return next;
  }
  return undefined;
}

function soldBy({ support, sells }: Split): Map<Edge, number> {
  return new Map(support.edges.map((edge, i) => [edge, sells[i] as number]));
}
