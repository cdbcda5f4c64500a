/** One curve of a plot: its values sorted, drawn against the share of requests that are at or below. */
export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

const WIDTH = 760;
const HEIGHT = 380;
const LEFT = 62;
const RIGHT = 190;
const TOP = 40;
const BOTTOM = 50;
const COLOURS = ["#0f766e", "#b45309", "#6d28d9", "#be123c", "#1d4ed8", "#4d7c0f", "#57534e"];

/**
 * A plot of distributions as SVG: x is the share of requests, y the value on a logarithmic axis. Values at or below
 * `floor` are drawn at the floor.
 */
export function distributionPlot(title: string, unit: string, series: readonly Series[], floor: number): string {
  const top = Math.max(...series.flatMap(({ values }) => values.filter(Number.isFinite)), floor * 10);
  const [low, high] = [Math.floor(Math.log10(floor)), Math.ceil(Math.log10(top))];
  const x = (share: number) => LEFT + share * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => {
    const at = (Math.log10(Math.max(value, floor)) - low) / (high - low);
    return HEIGHT - BOTTOM - at * (HEIGHT - TOP - BOTTOM);
  };
  const lines: string[] = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>${inXml(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    `<text x="${LEFT}" y="22" font-size="14" font-weight="bold">${inXml(title)}</text>`,
  ];
  for (let power = low; power <= high; power++) {
    const at = y(10 ** power).toFixed(1);
    lines.push(`<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}" stroke="#e7e5e4"/>`);
    lines.push(`<text x="${LEFT - 8}" y="${at}" dy="4" text-anchor="end">${label(power)}</text>`);
  }
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const at = x(share).toFixed(1);
    lines.push(`<line x1="${at}" x2="${at}" y1="${TOP}" y2="${HEIGHT - BOTTOM}" stroke="#e7e5e4"/>`);
    lines.push(`<text x="${at}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${share * 100} %</text>`);
  }
  lines.push(`<text x="${x(0.5)}" y="${HEIGHT - 10}" text-anchor="middle">requests</text>`);
  lines.push(
    `<text x="14" y="${HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 14 ${HEIGHT / 2})">${inXml(unit)}</text>`,
  );
  for (const [i, { name, values }] of series.entries()) {
    const colour = COLOURS[i % COLOURS.length];
    const sorted = [...values].sort((a, b) => a - b);
    const points = sorted.map((value, n) => `${x((n + 0.5) / sorted.length).toFixed(1)},${y(value).toFixed(1)}`);
    lines.push(`<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.join(" ")}"/>`);
    const row = TOP + 10 + i * 20;
    lines.push(
      `<line x1="${WIDTH - RIGHT + 12}" x2="${WIDTH - RIGHT + 32}" y1="${row}" y2="${row}" stroke="${colour}" stroke-width="3"/>`,
    );
    lines.push(`<text x="${WIDTH - RIGHT + 38}" y="${row + 4}">${inXml(name)} (${values.length})</text>`);
  }
  lines.push("</svg>");
  return `${lines.join("\n")}\n`;
}

function label(power: number): string {
  return power >= -3 && power <= 5 ? String(10 ** power) : `1e${power}`;
}

function inXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
