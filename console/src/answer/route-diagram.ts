import { html, svg } from "../page/dom.ts";
import { readable } from "../token.ts";
import { type Band, type Fill, layOut, nameOf, type Route, type TokenBox } from "./route-layout.ts";

const BOX_WIDTH = 64;
/** Pixels from a column to the next on a phone; what does not fit is scrolled to. */
const MIN_COLUMN = 150;
/** A band that is thinner has no label of its own: its colour is in the legend, its numbers in the table. */
const LABELLED = 13;
/** Pixels that a letter of a label takes, about. */
const LETTER = 7.5;
const [FEW_FILLS, LOW, HIGH] = [5, 120, 230];

/**
 * The route as a flow from left to right: tokens are boxes, fills are bands as wide as their part of the trade.
 * @param place pixels that there are from left to right
 */
export function routeDiagram(
  route: Route,
  sellToken: string,
  colorOf: (source: string) => string,
  place: number,
): SVGElement {
  const layout = layOut(route, sellToken, route.fills.length > FEW_FILLS ? HIGH : LOW);
  const step = Math.max((place - 2 - BOX_WIDTH) / Math.max(layout.columns - 1, 1), MIN_COLUMN);
  const width = BOX_WIDTH + (layout.columns - 1) * step;
  const titles = titlesOf(route);
  return svg(
    "svg",
    {
      viewBox: `-1 0 ${width + 2} ${layout.height}`,
      role: "img",
      "aria-label": inWords(route),
      style: `width:${width + 2}px;max-height:none`,
    },
    ...layout.bands.map((band) => bandShape(band, step, colorOf(band.fill.source), titles(band.fill))),
    ...layout.boxes.map((box) => boxShape(box, step)),
    ...layout.bands.filter(({ thick }) => thick >= LABELLED).map((band) => labelShape(band, step)),
  );
}

/** The sources of a route with their colours, and every fill with its amounts. */
export function routeLegend(route: Route, colorOf: (source: string) => string): readonly HTMLElement[] {
  const sources = [...new Set(route.fills.map(({ source }) => source))];
  const amount = amountsOf(route);
  const entries = sources.map((source) => {
    const dot = html("i", { class: "dot" });
    dot.style.background = colorOf(source);
    return html("span", {}, dot, source);
  });
  const rows = route.fills.map(({ source, from, to, sellAmount, buyAmount, pool }) =>
    html(
      "tr",
      {},
      html("th", { scope: "row" }, source),
      html("td", {}, amount(sellAmount, from)),
      html("td", {}, amount(buyAmount, to)),
      html("td", {}, html("code", { title: pool }, `${pool.slice(0, 8)}…`)),
    ),
  );
  const head = ["source", "in", "out", "pool"].map((name) => html("th", { scope: "col" }, name));
  return [
    html("p", { class: "legend" }, ...entries),
    html(
      "details",
      {},
      html("summary", {}, route.fills.length === 1 ? "One fill" : `All ${route.fills.length} fills`),
      html(
        "div",
        { class: "scroll" },
        html("table", {}, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows)),
      ),
    ),
  ];
}

/** The route for those who do not see the drawing. */
function inWords({ fills, tokens }: Route): string {
  const symbol = new Map(tokens.map((token) => [token.address, nameOf(token)]));
  const parts = fills.map(
    ({ from, to, source, proportion }) =>
      `${percent(Number(proportion))} of ${symbol.get(from)} to ${symbol.get(to)} on ${source}`,
  );
  return `Route: ${parts.join("; ")}`;
}

/** Tooltips of the bands. */
function titlesOf(route: Route): (fill: Fill) => string {
  const amount = amountsOf(route);
  return ({ source, pool, sellAmount, from, buyAmount, to }) =>
    `${source} ${pool}\n${amount(sellAmount, from)} → ${amount(buyAmount, to)}`;
}

/** Writes base units of a route's tokens: of those that nobody could name, as base units. */
function amountsOf({ tokens }: Route): (units: string, address: string) => string {
  const known = new Map(tokens.map((token) => [token.address, token]));
  return (units, address) => {
    const { symbol = "", decimals = 0 } = known.get(address) ?? {};
    if (symbol !== "") return `${readable(BigInt(units), decimals)} ${symbol}`;
    return `${readable(BigInt(units), 0)} base units of ${nameOf({ symbol, address })}`;
  };
}

function bandShape({ column, ys, thick }: Band, step: number, color: string, title: string): SVGElement {
  const d = ys.slice(1).map((y, i) => {
    const [x1, x2] = segment(column, i, step);
    const [middle, last] = [(x1 + x2) / 2, i === ys.length - 2];
    const start = i === 0 ? `M${x1},${ys[0]}` : "";
    // Past a token's column the band goes straight on.
    return `${start}C${middle},${ys[i]} ${middle},${y} ${x2},${y}${last ? "" : `H${x2 + BOX_WIDTH}`}`;
  });
  return svg(
    "g",
    { class: "band" },
    svg("title", {}, title),
    svg("path", { d: d.join(""), stroke: color, "stroke-width": thick }),
  );
}

/** From where to where a band goes between two columns. */
function segment(column: number, i: number, step: number): readonly [number, number] {
  const x = (column + i) * step;
  return [x + BOX_WIDTH, x + step];
}

/** Source and share, or the share alone where there is no room for both. */
function labelShape({ fill, share, column, ys }: Band, step: number): SVGElement {
  const [x1, x2] = segment(column, 0, step);
  const y = ((ys[0] ?? 0) + (ys[1] ?? 0)) / 2 + 4;
  const attributes = { x: (x1 + x2) / 2, y, "text-anchor": "middle", class: "on-band" };
  const whole = `${fill.source} ${percent(share)}`;
  return svg("text", attributes, whole.length * LETTER > x2 - x1 ? percent(share) : whole);
}

function boxShape({ column, symbol, y, height }: TokenBox, step: number): SVGElement {
  const x = column * step;
  return svg(
    "g",
    { class: "node" },
    svg("rect", { x, y, width: BOX_WIDTH, height, rx: 6 }),
    svg("text", { x: x + BOX_WIDTH / 2, y: y + height / 2 + 5, "text-anchor": "middle" }, symbol),
  );
}

function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(fraction < 0.1 ? 1 : 0)} %`;
}
