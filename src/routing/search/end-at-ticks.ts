import { stretchOf } from "../../pools/float/stretch-of.ts";
import { mostEarnedAfterGas } from "../bound/most-earned.ts";
import { type Edge, isStepped } from "../edges/edges.ts";
import { ending } from "../edges/ending.ts";
import { gasInBought, gasOfTrade, isBetter, priceOf, resize } from "../flow/goal.ts";
import { type Split, solveSplit } from "../flow/solve-split.ts";
import { connected } from "../flow/support.ts";
import type { GasFlow } from "../gas/gas-flow.ts";
import type { Search } from "../session/search.ts";
import { prune } from "./prune.ts";
import { withoutCycles } from "./without-cycles.ts";

/** Part of an amount by which a pool ends before its tick: shares are parts of 10^9, of amounts that are rounded themselves. */
const SHORT = 1e-6;
/** Choices of pools that are tried. */
const MAX_TRIED = 16;
/** Part of a pool use below which an edge is not used. */
const MIN_PART = 1e-3;

/** A flow, or the better one over some of its pools that ends at ticks. */
export function endedAtTicks(search: Search, flow: Split, paid: GasFlow): Split {
  const { support, sells, sellAmount } = flow;
  const ended = flow.stuck > 0 ? undefined : flowToTicks(search, support.edges, sells, sellAmount, paid);
  return ended !== undefined && isBetter(search, ended, flow) ? ended : flow;
}

/** Tick at which a pool ends, and the saving at a flow's prices. */
interface End {
  readonly edge: Edge;
  readonly amount: number;
  readonly saved: number;
}

/**
 * A flow, or a better one over its pools: those whose gas grows end with the stretch that earns most after its gas at the
 * flow's own prices, all for which that saves gas, or half of them, those that save most, and so on, as long as that is
 * better. What goes by one pool then goes by others, so that not all can end at once.
 */
export function endedAtOwnTicks(search: Search, flow: Split): Split {
  let best = flow;
  let ended: ReadonlySet<Edge> = new Set();
  let most = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < MAX_TRIED && most > 0 && best.stuck === 0 && !search.over(); tried++) {
    const all = endsOf(search, best);
    const others = all.filter(({ edge, saved }) => saved > 0 && !ended.has(edge)).sort((a, b) => b.saved - a.saved);
    most = Math.min(most, others.length);
    const chosen = [...all.filter(({ edge }) => ended.has(edge)), ...others.slice(0, most)];
    const amounts = new Map(best.support.edges.map((edge) => [edge, Number.POSITIVE_INFINITY]));
    for (const { edge, amount } of chosen) amounts.set(edge, amount);
    const next = most === 0 ? undefined : overEnds(search, amounts, best.sellAmount, best.logPrices);
    if (next !== undefined && isBetter(search, next, best)) {
      best = next;
      ended = new Set(chosen.map(({ edge }) => edge));
    } else most = Math.floor(most / 2);
  }
  return best;
}

/** Ends of a flow's pools whose gas grows, at its prices, except each token's largest, which takes what others leave. */
function endsOf(search: Search, flow: Split): End[] {
  const { support, sells } = flow;
  const costPerGas = gasInBought(search, flow);
  const largest = new Map<number, number>();
  support.edges.forEach(({ from }, i) => {
    if ((sells[i] as number) > (sells[largest.get(from) ?? i] as number) || !largest.has(from)) largest.set(from, i);
  });
  const free = Number.POSITIVE_INFINITY;
  return support.edges.flatMap((edge, i) => {
    if (!isStepped(edge) || largest.get(edge.from) === i) return [];
    const [sellPrice, buyPrice, sells] = [priceOf(flow, edge.from), priceOf(flow, edge.to), flow.sells[i] as number];
    const { sellAmount, buyAmount, gas } = mostEarnedAfterGas(edge, sellPrice, buyPrice, costPerGas, free, free);
    const gasSaved = (gasOfTrade(search, edge, sells) - gas) * costPerGas;
    const lost = (edge.curve.buyAmountFor(sells) - buyAmount) * buyPrice - (sells - sellAmount) * sellPrice;
    return [{ edge, amount: sellAmount, saved: gasSaved > 0 ? gasSaved - lost : 0 }];
  });
}

/**
 * The flow over edges where gas of some grows with the ticks that they cross: a split knows nothing of it, and goes into a
 * stretch between ticks for less than it costs. So each of these ends with the stretch that it ends in where prices with gas
 * are minimised, or where it sells what is given; those go then that do not earn the gas that they have left.
 * Undefined where gas of none grows, or what is left does not take it all.
 */
export function flowToTicks(
  search: Search,
  wanted: readonly Edge[],
  sells: readonly number[],
  sellAmount: number,
  paid: GasFlow,
): Split | undefined {
  if (!wanted.some(isStepped)) return undefined;
  const amounts = new Map(wanted.map((edge, i) => [edge, sells[i] as number]));
  paid.edges.forEach((edge, i) => {
    if (amounts.has(edge) && (paid.parts[i] as number) > MIN_PART) amounts.set(edge, paid.sells[i] as number);
  });
  return overEnds(search, amounts, sellAmount, paid.logPrices, (flow) => prune(search, flow));
}

/**
 * The flow over edges of which each whose gas grows ends with the stretch that its amount lies in, as `finish` leaves it while
 * they end there.
 */
function overEnds(
  search: Search,
  amounts: ReadonlyMap<Edge, number>,
  sellAmount: number,
  logPrices: ReadonlyMap<number, number>,
  finish = (flow: Split) => flow,
): Split | undefined {
  const wholes = new Map<Edge, Edge>();
  const ended = (edge: Edge, amount: number): Edge => {
    if (!isStepped(edge) || amount === Number.POSITIVE_INFINITY) return edge;
    const end = ending(edge, (1 - SHORT) * endOfStretch(edge, amount));
    wholes.set(end, edge);
    return end;
  };
  const all = [...amounts].map(([edge, amount]) => ended(edge, amount));
  const edges = connected(search, withoutCycles(all, search.source, search.sink));
  const trade = search.side === "exactIn" ? { side: search.side, amount: sellAmount } : search;
  const solved = edges.length === 0 ? undefined : solveSplit(search, edges, trade, logPrices);
  if (solved === undefined || solved.stuck > 0) return undefined;
  const flow = finish(resize(search, solved, 2));
  const { support } = flow;
  return { ...flow, support: { ...support, edges: support.edges.map((edge) => wholes.get(edge) ?? edge) } };
}

/** Amount that an edge has sold at the end of the stretch over which the gas of `amount` is constant. */
function endOfStretch({ curve }: Edge, amount: number): number {
  const stretches = curve.gasStretches?.(amount) as readonly number[];
  return stretches[stretchOf(stretches, amount)] as number;
}
