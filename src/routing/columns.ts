import type { Edge } from "./edges.ts";
import type { Session } from "./session.ts";
import type { Settled } from "./settled.ts";
import { reach } from "./support.ts";

/** New edges from one token of a flow to another that earn something at the flow's own prices. */
export interface Column {
  readonly edges: readonly Edge[];
  /** The most that they earn at these prices, in bought units: at least what adding them to the flow can bring. */
  readonly profit: number;
  /** Logarithms of the prices of the tokens between, for the next solution to start from. */
  readonly logPrices: readonly (readonly [node: number, logPrice: number])[];
}

/** Relative gain at which a column counts. */
const LEAST_GAIN = 1e-9;

/**
 * All ways off the flow and back onto it that beat the flow's own prices for a parcel worth `value` (bought units):
 * labels spread from every token of the flow at once, one label a token, over pools that the flow does not touch.
 */
export function findColumns(session: Session, settled: Settled, value: number): Column[] {
  const { support, logPrices } = settled;
  const { maxHops, sink, source, graph } = session;
  const used = new Set(support.edges.map((edge) => edge.pool));
  const prices = new Map<number, number>(support.order.map((node) => [node, Math.exp(logPrices.get(node) as number)]));
  const behind = new Map(support.order.map((node) => [node, reach(support.edges, node, "to", "from")]));
  const columns: Column[] = [];

  const fits = (origin: number, target: number, length: number): boolean =>
    origin !== target &&
    target !== source &&
    !(behind.get(origin) as Set<number>).has(target) &&
    (support.depth.get(origin) as number) + length + (support.height.get(target) as number) <= maxHops;

  let labels = new Map<number, Label>();
  for (const node of support.order)
    if (node !== sink) labels.set(node, { origin: node, amount: value / (prices.get(node) as number), edges: [] });
  for (let length = 1; length <= maxHops && labels.size > 0; length++) {
    const next = new Map<number, Label>();
    for (const [node, label] of labels) {
      for (const edge of graph.edgesFrom(node)) {
        if (used.has(edge.pool)) continue;
        const price = prices.get(edge.to);
        if (price !== undefined) {
          const least = (value * (1 + LEAST_GAIN)) / price;
          if (edge.spot * label.amount <= least || !fits(label.origin, edge.to, length)) continue;
          session.steps++;
          if (edge.curve.buyAmountFor(label.amount) <= least || !session.allows(edge.pool)) continue;
          if (label.edges.some((earlier) => earlier.pool === edge.pool)) continue;
          columns.push(columnOf([...label.edges, edge], prices, label));
        } else if (length < maxHops) {
          const known = next.get(edge.to)?.amount ?? 0;
          if (edge.spot * label.amount <= known) continue;
          session.steps++;
          const amount = edge.curve.buyAmountFor(label.amount);
          if (amount <= known || !session.allows(edge.pool)) continue;
          if (label.edges.some((earlier) => earlier.pool === edge.pool || earlier.from === edge.to)) continue;
          next.set(edge.to, { origin: label.origin, amount, edges: [...label.edges, edge] });
        }
      }
    }
    labels = next;
  }
  return columns.sort((a, b) => b.profit - a.profit);
}

interface Label {
  readonly origin: number;
  readonly amount: number;
  readonly edges: readonly Edge[];
}

/** The best amount for a column and what it earns, by bisection on the product of the marginal rates. */
function columnOf(edges: readonly Edge[], prices: ReadonlyMap<number, number>, { origin }: Label): Column {
  const sellPrice = prices.get(origin) as number;
  const buyPrice = prices.get((edges[edges.length - 1] as Edge).to) as number;
  const rate = sellPrice / buyPrice;
  const sell = bestAmount(edges, rate);
  const logPrices: [number, number][] = [];
  const rates: number[] = [];
  let amount = sell;
  for (const edge of edges) {
    rates.push(edge.curve.marginalRate(amount));
    amount = edge.curve.buyAmountFor(amount);
  }
  let logPrice = Math.log(buyPrice);
  for (let i = edges.length - 1; i > 0; i--) {
    logPrice += Math.log(rates[i] as number);
    logPrices.push([(edges[i] as Edge).from, logPrice]);
  }
  return { edges, profit: amount * buyPrice - sell * sellPrice, logPrices };
}

function bestAmount(edges: readonly Edge[], rate: number): number {
  const first = edges[0] as Edge;
  if (edges.length === 1) return Math.min(first.curve.sellAmountAtRate(rate), first.curve.maxSell);
  const rest = edges.slice(1).reduce((product, edge) => product * edge.spot, 1);
  let high = Math.min(first.curve.sellAmountAtRate(rate / rest), first.curve.maxSell);
  let low = 0;
  for (let i = 0; i < 24; i++) {
    const middle = (low + high) / 2;
    let amount = middle;
    let marginal = 1;
    for (const edge of edges) {
      marginal *= edge.curve.marginalRate(amount);
      amount = edge.curve.buyAmountFor(amount);
    }
    if (marginal > rate) low = middle;
    else high = middle;
  }
  return low;
}
