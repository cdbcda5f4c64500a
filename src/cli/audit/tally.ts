import { columns } from "../view/table.ts";
import type { CheckedQuote, Verdict } from "./check-quote.ts";

/** Counts of quotes by outcome, for one source or one kind of token. */
export interface TallyRow {
  readonly name: string;
  quotes: number;
  /** To the wei. */
  exact: number;
  /** Run a second later, and within what time alone may change. */
  inTime: number;
  differs: number;
  reverts: number;
  fails: number;
  refused: number;
  notRun: number;
  /** Base units that the worst quote was off by, either amount. */
  worstOff: bigint;
  /** By which parts of the gas used the estimates were above it. */
  readonly gasOff: number[];
  /** Refusals and what could not be run, by their reasons. */
  readonly reasons: Map<string, number>;
}

/** Counts quotes under names; one quote counts for every source and kind of token that it has. */
export class Tally {
  readonly #rows = new Map<string, TallyRow>();

  add(names: Iterable<string>, { verdict }: Pick<CheckedQuote, "verdict">): void {
    for (const name of new Set(names)) addTo(this.#rowOf(name), verdict);
  }

  /** By name. */
  rows(): readonly TallyRow[] {
    return [...this.#rows.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #rowOf(name: string): TallyRow {
    const known = this.#rows.get(name);
    if (known !== undefined) return known;
    const counts = { quotes: 0, exact: 0, inTime: 0, differs: 0, reverts: 0, fails: 0, refused: 0, notRun: 0 };
    const row: TallyRow = { name, ...counts, worstOff: 0n, gasOff: [], reasons: new Map() };
    this.#rows.set(name, row);
    return row;
  }
}

function addTo(row: TallyRow, verdict: Verdict): void {
  row.quotes += 1;
  row[verdict.kind] += 1;
  if ((verdict.kind === "exact" || verdict.kind === "inTime") && verdict.gasOff !== undefined) {
    row.gasOff.push(verdict.gasOff);
  }
  if (verdict.kind === "differs") {
    for (const off of [verdict.boughtOff, verdict.soldOff]) {
      const size = off < 0n ? -off : off;
      if (size > row.worstOff) row.worstOff = size;
    }
  }
  if (verdict.kind === "refused" || verdict.kind === "notRun") {
    row.reasons.set(verdict.reason, (row.reasons.get(verdict.reason) ?? 0) + 1);
  }
}

/** Rows as lines under their headings. */
export function tallyLines(heading: string, rows: readonly TallyRow[]): readonly string[] {
  const head = [
    heading,
    "quotes",
    "exact",
    "in time",
    "differ",
    "revert",
    "fail",
    "refused",
    "not run",
    "most wei off",
    "gas off",
  ];
  const cells = rows.map((row) => [
    row.name,
    ...[row.quotes, row.exact, row.inTime, row.differs, row.reverts, row.fails, row.refused, row.notRun].map(String),
    String(row.worstOff),
    gasText(row.gasOff),
  ]);
  return columns([head, ...cells], [1, 2, 3, 4, 5, 6, 7, 8, 9]);
}

/** Why quotes were refused or not run, most frequent first. */
export function reasonLines(rows: readonly TallyRow[]): readonly string[] {
  return rows.flatMap(({ name, reasons }) =>
    [...reasons].sort(([, a], [, b]) => b - a).map(([reason, count]) => `  ${name}: ${count} × ${reason}`),
  );
}

/** A row as JSON tells it. */
export function tallyJson(row: TallyRow) {
  const { gasOff, reasons, worstOff, ...counts } = row;
  return { ...counts, worstOff: String(worstOff), gasOff: gasFigures(gasOff), reasons: Object.fromEntries(reasons) };
}

/** The misses of a row. */
export function missesOf({ differs, reverts, fails }: TallyRow): number {
  return differs + reverts + fails;
}

function gasFigures(off: readonly number[]): { readonly median: number; readonly worst: number } | null {
  if (off.length === 0) return null;
  const ranked = off.toSorted((a, b) => a - b);
  const worst = ranked.reduce((most, each) => (Math.abs(each) > Math.abs(most) ? each : most));
  return { median: rounded(ranked[Math.floor(ranked.length / 2)]!), worst: rounded(worst) };
}

function gasText(off: readonly number[]): string {
  const figures = gasFigures(off);
  if (figures === null) return "not told";
  const percent = (part: number) => `${part > 0 ? "+" : ""}${(100 * part).toFixed(1)} %`;
  return `median ${percent(figures.median)}, worst ${percent(figures.worst)}`;
}

function rounded(part: number): number {
  return Math.round(part * 10_000) / 10_000;
}
