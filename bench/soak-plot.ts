/** One panel of the picture: a figure of the run against its blocks. */
export interface NodeVote {
  readonly title: string;
  /** By block, ascending. */
  readonly points: readonly (readonly [block: number, value: number])[];
  /** Limit of the figure, drawn as a line. */
  readonly bound?: number;
}

const WIDTH = 760;
const PANEL_HEIGHT = 130;
const LEFT = 60;
const RIGHT = 20;
const GAP = 44;

/** The figures of a run below each other as SVG, each from zero. */
export function soakPlot(title: string, panels: readonly NodeVote[]): string {
  const height = GAP + panels.length * (PANEL_HEIGHT + GAP);
  const last = Math.max(...panels.flatMap(({ points }) => points.map(([block]) => block)));
  const x = (block: number) => LEFT + (block / last) * (WIDTH - LEFT - RIGHT);
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="${LEFT}" y="20" font-size="14" font-weight="bold">${title}</text>`,
  ];
  for (const [index, { title: name, points, bound }] of panels.entries()) {
    const bottom = GAP + index * (PANEL_HEIGHT + GAP) + PANEL_HEIGHT;
    const most = Math.max(1, bound ?? 0, ...points.map(([, value]) => value)) * 1.1;
    const y = (value: number) => (bottom - (value / most) * PANEL_HEIGHT).toFixed(1);
    lines.push(`<text x="${LEFT}" y="${bottom - PANEL_HEIGHT - 6}">${name}</text>`);
    for (const value of [0, most / 2, most]) {
      lines.push(`<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}" stroke="#e7e5e4"/>`);
      lines.push(
        `<text x="${LEFT - 8}" y="${y(value)}" dy="4" text-anchor="end">${Number(value.toPrecision(2))}</text>`,
      );
    }
    if (bound !== undefined) {
      lines.push(
        `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(bound)}" y2="${y(bound)}" stroke="#be123c" stroke-dasharray="4 4"/>`,
      );
    }
    const way = points.map(([block, value]) => `${x(block).toFixed(1)},${y(value)}`).join(" ");
    lines.push(`<polyline fill="none" stroke="#0f766e" stroke-width="2" points="${way}"/>`);
  }
  lines.push(`<text x="${WIDTH - RIGHT}" y="${height - 12}" text-anchor="end">block ${last}</text>`, "</svg>");
  return `${lines.join("\n")}\n`;
}
