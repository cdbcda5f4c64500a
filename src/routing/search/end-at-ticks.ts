import { stretchOf } from "../../pools/float/stretch-of.ts";
import { type Edge, ending, isStepped } from "../edges/edges.ts";
import { mostEarnedAfterGas } from "../edges/trade-at.ts";
import { gasInBought, gasOfTrade, isBetter, priceOf, resize } from "../flow/goal.ts";
import { type Split, solveSplit } from "../flow/solve-split.ts";
import { connected, withoutCycles } from "../flow/support.ts";
import type { Search } from "../session/search.ts";

/** Part of an amount by which a pool ends before its tick: shares are parts of 10^9, of amounts that are rounded themselves. */
const SHORT = 1e-6;
/** Choices of pools that are tried. */
const MAX_TRIED = 16;

/**
 * A flow, or a better one over its pools: those whose gas grows end with the stretch that earns most after its gas at the
 * flow's own prices, all for which that saves gas, or half of them, those that save most, and so on, as long as that is
 * better. What goes by one pool then goes by others, so that not all can end at once.
 */
export function endedAtTicks(search: Search, flow: Split): Split {
  let best = flow;
  let ended: ReadonlyMap<Edge, number> = new Map();
  let most = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < MAX_TRIED && most > 0 && best.stuck === 0 && !search.over(); tried++) {
    const others = endsOf(search, best).filter(({ edge }) => !ended.has(edge));
    most = Math.min(most, others.length);
    const chosen = others.slice(0, most).map(({ edge, amount }) => [edge, amount] as const);
    const amounts = new Map([...ended, ...chosen]);
    const next = most === 0 ? undefined : overEnds(search, { ...best, edges: best.support.edges }, amounts);
    if (next !== undefined && isBetter(search, next, best)) [best, ended] = [next, amounts];
    else most = Math.floor(most / 2);
  }
  return best;
}

/** Pools whose gas grows that earn more at a flow's prices if they end at a tick before, with that amount, those that save most first. */
function endsOf(search: Search, flow: Split) {
  const costPerGas = gasInBought(search, flow);
  const free = Number.POSITIVE_INFINITY;
  const ends = flow.support.edges.map((edge, i) => {
    const [sellPrice, buyPrice, sells] = [priceOf(flow, edge.from), priceOf(flow, edge.to), flow.sells[i] as number];
    if (!isStepped(edge)) return { edge, amount: sells, saved: 0 };
    const { sellAmount, buyAmount, gas } = mostEarnedAfterGas(edge, sellPrice, buyPrice, costPerGas, free, free);
    const gasSaved = (gasOfTrade(search, edge, sells) - gas) * costPerGas;
    const lost = (edge.curve.buyAmountFor(sells) - buyAmount) * buyPrice - (sells - sellAmount) * sellPrice;
    return { edge, amount: sellAmount, saved: gasSaved > 0 ? gasSaved - lost : 0 };
  });
  return ends.filter(({ saved }) => saved > 0).sort((a, b) => b.saved - a.saved);
}

/**
 * The flow over edges of which those with an amount here end with the stretch that it lies in, if their gas grows, as `finish`
 * leaves it while they end there. Undefined where what is left does not take it all.
 */
export function overEnds(
  search: Search,
  { edges, sellAmount, logPrices }: Pick<Split, "sellAmount" | "logPrices"> & Pick<Split["support"], "edges">,
  amounts: ReadonlyMap<Edge, number>,
  finish = (flow: Split) => flow,
): Split | undefined {
  const wholes = new Map<Edge, Edge>();
  const all = edges.map((edge) => {
    const amount = amounts.get(edge);
    if (amount === undefined || !isStepped(edge)) return edge;
    const end = ending(edge, (1 - SHORT) * endOfStretch(edge, amount));
    wholes.set(end, edge);
    return end;
  });
  const trade = search.side === "exactIn" ? { side: search.side, amount: sellAmount } : search;
  const fitting = connected(search, withoutCycles(all, search.source, search.sink));
  const solved = fitting.length === 0 ? undefined : solveSplit(search, fitting, trade, logPrices);
  if (solved === undefined || solved.stuck > 0) return undefined;
  const { support, ...rest } = finish(resize(search, solved, 2));
  return { ...rest, support: { ...support, edges: support.edges.map((edge) => wholes.get(edge) ?? edge) } };
}

/** Amount that an edge has sold at the end of the stretch over which the gas of `amount` is constant. */
function endOfStretch({ curve }: Edge, amount: number): number {
  const stretches = curve.gasStretches?.(amount) as readonly number[];
  return stretches[stretchOf(stretches, amount)] as number;
}
