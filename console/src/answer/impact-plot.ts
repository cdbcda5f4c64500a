import { svg } from "../page/dom.ts";

/** One price on the curve: `size` in units of the trade that is looked at. */
export interface ImpactPoint {
  readonly size: number;
  /** Percent; undefined where there was no price. */
  readonly impact: number | undefined;
}

const [HEIGHT, LEFT, BOTTOM, TOP, RIGHT] = [330, 58, 50, 18, 24];
/** Impacts below cannot be told apart on the plot. */
const LEAST = 0.001;

/** Price impact against the size of the trade, both logarithmic; the trade itself is marked. `width` in pixels. */
export function impactPlot(points: readonly ImpactPoint[], unit: string, width: number): SVGElement {
  const known = points.filter((point): point is ImpactPoint & { impact: number } => point.impact !== undefined);
  const sizes = points.map(({ size }) => Math.log10(size));
  const [first, last] = [Math.min(...sizes), Math.max(...sizes)];
  const most = Math.ceil(Math.log10(Math.max(LEAST * 10, ...known.map(({ impact }) => impact))));
  const least = Math.log10(LEAST);
  const x = (size: number) => LEFT + ((Math.log10(size) - first) / (last - first)) * (width - LEFT - RIGHT);
  const y = (impact: number) =>
    HEIGHT - BOTTOM - ((Math.log10(Math.max(impact, LEAST)) - least) / (most - least)) * (HEIGHT - BOTTOM - TOP);
  const levels = Array.from({ length: most - least + 1 }, (_, i) => 10 ** (least + i));
  const line = known.map(({ size, impact }, i) => `${i === 0 ? "M" : "L"}${x(size)},${y(impact)}`).join("");
  const here = known.find(({ size }) => size === 1);
  /** On a phone there is room for the powers of ten only. */
  const isTight = (size: number) => !Number.isInteger(Math.log10(size));
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": inWords(known) },
    ...levels.flatMap((level) => [
      svg("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(level), y2: y(level) }),
      svg("text", { x: LEFT - 6, y: y(level) + 4, "text-anchor": "end" }, `${Number(level.toPrecision(1))} %`),
    ]),
    ...points.map(({ size }) =>
      svg(
        "text",
        { x: x(size), y: HEIGHT - 30, "text-anchor": "middle", class: isTight(size) ? "tight" : "" },
        `×${size}`,
      ),
    ),
    svg("text", { x: (LEFT + width - RIGHT) / 2, y: HEIGHT - 8, "text-anchor": "middle" }, `times ${unit}`),
    svg("path", { class: "curve", d: line }),
    ...known.map(({ size, impact }) =>
      svg(
        "circle",
        { class: size === 1 ? "here" : "point", cx: x(size), cy: y(impact), r: size === 1 ? 5.5 : 3 },
        svg("title", {}, `×${size}: ${impact} %`),
      ),
    ),
    here === undefined
      ? undefined
      : svg("text", { x: x(1), y: y(here.impact) - 10, "text-anchor": "middle", class: "label" }, `${here.impact} %`),
  );
}

function inWords(points: readonly (ImpactPoint & { impact: number })[]): string {
  return `Price impact by size: ${points.map(({ size, impact }) => `${size} times the amount ${impact} percent`).join(", ")}`;
}
