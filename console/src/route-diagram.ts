import type { Price } from "../../src/client/index.ts";
import { svg } from "./dom.ts";
import { readable } from "./token.ts";

type Route = NonNullable<Price["route"]>;
type Fill = Route["fills"][number];

/** A token with its place: `column` by the longest way to it, `flow` the part of the whole trade that passes it. */
interface Node {
  readonly address: string;
  readonly symbol: string;
  column: number;
  flow: number;
  y: number;
  /** How much of its height is taken by bands that leave and arrive. */
  left: number;
  arrived: number;
}

const NODE_WIDTH = 64;
const COLUMN_WIDTH = 250;
/** Pixels of a column on a phone; what does not fit is scrolled to. */
const LEAST_COLUMN = 130;
const FULL_HEIGHT = 120;
const LEAST_BAND = 3;
const GAP = 26;
const TOP = 24;

/** The route as a flow from left to right: tokens are nodes, fills are bands as wide as their part of the trade. */
export function routeDiagram(route: Route, sellToken: string, colorOf: (source: string) => string): SVGElement {
  const nodes = layOut(route, sellToken);
  const columns = Math.max(...[...nodes.values()].map(({ column }) => column)) + 1;
  const width = NODE_WIDTH + (columns - 1) * COLUMN_WIDTH;
  const bottom = Math.max(...[...nodes.values()].map((node) => node.y + heightOf(node.flow)));
  const decimals = new Map(route.tokens.map((token) => [token.address, token.decimals]));
  // From above to below at either end, so that bands cross as little as they can.
  const height = (address: string) => nodes.get(address)?.y ?? 0;
  const leaving = route.fills.toSorted((a, b) => height(a.to) - height(b.to));
  const starts = new Map(
    leaving.map((fill) => [fill, stack(fill, nodes.get(fill.from), nodes.get(fill.from), "left")]),
  );
  const arriving = route.fills.toSorted((a, b) => height(a.from) - height(b.from));
  const ends = new Map(
    arriving.map((fill) => [fill, stack(fill, nodes.get(fill.to), nodes.get(fill.from), "arrived")]),
  );
  const bands = route.fills.map((fill) =>
    band(fill, {
      nodes,
      decimals,
      color: colorOf(fill.source),
      y1: starts.get(fill) ?? 0,
      y2: ends.get(fill) ?? 0,
      at: labelAt(fill, route),
    }),
  );
  return svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${bottom + TOP}`,
      role: "img",
      "aria-label": inWords(route),
      style: `min-width:${columns * LEAST_COLUMN}px`,
    },
    ...bands,
    ...[...nodes.values()].map(nodeShape),
  );
}

/** The route for those who do not see the drawing. */
function inWords({ fills, tokens }: Route): string {
  const symbol = new Map(tokens.map((token) => [token.address, token.symbol]));
  const parts = fills.map(
    ({ from, to, source, proportion }) =>
      `${percent(Number(proportion))} of ${symbol.get(from)} to ${symbol.get(to)} on ${source}`,
  );
  return `Route: ${parts.join("; ")}`;
}

function layOut({ tokens, fills }: Route, sellToken: string): ReadonlyMap<string, Node> {
  const nodes = new Map<string, Node>(
    tokens.map(({ address, symbol }) => [
      address,
      { address, symbol, column: 0, flow: address === sellToken ? 1 : 0, y: 0, left: 0, arrived: 0 },
    ]),
  );
  // Tokens in the order in which everything that makes them is known.
  const waiting = new Set(fills);
  for (let moved = true; moved && waiting.size > 0; ) {
    moved = false;
    for (const fill of [...waiting]) {
      if ([...waiting].some(({ to }) => to === fill.from)) continue;
      const [from, to] = [nodes.get(fill.from), nodes.get(fill.to)];
      waiting.delete(fill);
      moved = true;
      if (from === undefined || to === undefined) continue;
      to.column = Math.max(to.column, from.column + 1);
      to.flow += from.flow * Number(fill.proportion);
    }
  }
  const byColumn = Map.groupBy(nodes.values(), ({ column }) => column);
  const tallest = Math.max(...[...byColumn.values()].map(columnHeight));
  for (const column of byColumn.values()) {
    let y = TOP + (tallest - columnHeight(column)) / 2;
    for (const node of column.sort((a, b) => b.flow - a.flow)) {
      node.y = y;
      y += heightOf(node.flow) + GAP;
    }
  }
  return nodes;
}

function columnHeight(nodes: readonly Node[]): number {
  return nodes.reduce((sum, { flow }) => sum + heightOf(flow), 0) + GAP * (nodes.length - 1);
}

function heightOf(flow: number): number {
  return Math.max(FULL_HEIGHT * flow, 18);
}

/** Takes the fill's part of a node's side: the middle of it. */
function stack(fill: Fill, node: Node | undefined, from: Node | undefined, side: "left" | "arrived"): number {
  if (node === undefined || from === undefined) return 0;
  const thick = thickness(from.flow * Number(fill.proportion));
  const y = node.y + node[side] + thick / 2;
  node[side] += thick;
  return y;
}

function thickness(share: number): number {
  return Math.max(FULL_HEIGHT * share, LEAST_BAND);
}

/** Where on its way a band is by itself: late when several leave together, early when several arrive together. */
function labelAt({ from, to }: Fill, { fills }: Route): number {
  const [leave, arrive] = [fills.filter((it) => it.from === from).length, fills.filter((it) => it.to === to).length];
  if (leave === arrive) return 0.5;
  return leave > arrive ? 0.72 : 0.28;
}

interface BandPlace {
  readonly nodes: ReadonlyMap<string, Node>;
  readonly decimals: ReadonlyMap<string, number>;
  readonly color: string;
  readonly y1: number;
  readonly y2: number;
  /** Part of the way at which its label stands. */
  readonly at: number;
}

function band(fill: Fill, { nodes, decimals, color, y1, y2, at }: BandPlace): SVGElement {
  const [from, to] = [nodes.get(fill.from), nodes.get(fill.to)];
  if (from === undefined || to === undefined) return svg("g");
  const share = from.flow * Number(fill.proportion);
  const [x1, x2] = [from.column * COLUMN_WIDTH + NODE_WIDTH, to.column * COLUMN_WIDTH];
  const middle = (x1 + x2) / 2;
  const amount = (units: string, token: string) => readable(BigInt(units), decimals.get(token) ?? 0);
  const title = `${fill.source} ${fill.pool}\n${amount(fill.sellAmount, fill.from)} ${from.symbol} → ${amount(fill.buyAmount, fill.to)} ${to.symbol}`;
  return svg(
    "g",
    { class: "band" },
    svg("title", {}, title),
    svg("path", {
      d: `M${x1},${y1} C${middle},${y1} ${middle},${y2} ${x2},${y2}`,
      stroke: color,
      "stroke-width": thickness(share),
    }),
    svg(
      "text",
      { x: bezier(at, x1, middle, middle, x2), y: bezier(at, y1, y1, y2, y2) + 4, "text-anchor": "middle" },
      `${fill.source} ${percent(share)}`,
    ),
  );
}

function bezier(t: number, a: number, b: number, c: number, d: number): number {
  const s = 1 - t;
  return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
}

function nodeShape({ column, symbol, flow, y }: Node): SVGElement {
  const x = column * COLUMN_WIDTH;
  const height = heightOf(flow);
  return svg(
    "g",
    { class: "node" },
    svg("rect", { x, y, width: NODE_WIDTH, height, rx: 6 }),
    svg("text", { x: x + NODE_WIDTH / 2, y: y + height / 2 + 5, "text-anchor": "middle" }, symbol),
  );
}

function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(fraction < 0.1 ? 1 : 0)} %`;
}
