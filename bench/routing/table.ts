import { quantile } from "../quantile.ts";
import type { Answer } from "./cell.ts";
import { type Figure, goalsOf } from "./goals.ts";
import type { Pairs } from "./sets/requests.ts";

/** One row of the table: requests of one kind on one set. */
export interface Row {
  /** The set's name in arguments. */
  readonly key: string;
  /** The set's name in the table. */
  readonly set: string;
  readonly kind: "exactIn" | "exactOut";
  readonly gwei: number;
  readonly pairs: Pairs;
  readonly answers: readonly Answer[];
}

/** Basis points above which a regret counts. */
export const VISIBLE_REGRET = 1;
const COLUMNS = [
  "pools",
  "order",
  "gas, gwei",
  "pairs",
  "ms p50 / p99",
  "ms p50 / p99, pair known",
  "pair known: gain, bp p10 / p50 / p90",
  "gapBps p50 / p99 / max",
  "null",
  "fills p50 / max",
  "refused",
  "regret, bp p50 / p90 / p99 / max",
  "% above 1 bp",
  "searched deeply before: regret, bp p50 / p90 / p99 / max",
  "deep search, ms p50 / p99",
  "missed",
  "bound beaten",
  "restarted",
];

/** The table's first two lines. "missed": refused, but a restart has a route. "bound beaten": the proof is wrong. */
export const HEAD = [`| ${COLUMNS.join(" | ")} |`, `|${"---|".repeat(COLUMNS.length)}`];

export function lineOf(row: Row): string {
  const { answers, set, kind, gwei, pairs } = row;
  const figures = figuresOf(answers);
  const goals = goalsOf(row);
  const cell = (...names: readonly Figure[]) =>
    names
      .map((name) => {
        const goal = goals[name];
        if (goal === undefined) return shown(figures[name]);
        return `${shown(figures[name])} (${goal})${figures[name] > goal ? "!" : ""}`;
      })
      .join(" / ");
  const fills = answers.flatMap((answer) => answer.fills ?? []);
  const restarted = answers.flatMap(({ regret, deep }) => [regret ?? [], deep?.regret ?? []].flat());
  const cells = [
    ...[set, kind, gwei, pairs],
    cell("ms p50", "ms p99"),
    cell("known ms p50", "known ms p99"),
    cell("gain p10", "gain p50", "gain p90"),
    cell("gap p50", "gap p99", "gap max"),
    answers.filter(({ gap }) => gap === null).length,
    `${fills.length === 0 ? "–" : quantile(fills, 0.5)} / ${Math.max(0, ...fills)}`,
    answers.filter((answer) => answer.fills === undefined).length,
    cell("regret p50", "regret p90", "regret p99", "regret max"),
    cell("% above 1 bp"),
    cell("deep regret p50", "deep regret p90", "deep regret p99", "deep regret max"),
    cell("deep ms p50", "deep ms p99"),
    restarted.filter(({ bps }) => bps === Number.POSITIVE_INFINITY).length,
    restarted.filter(({ beatsBound }) => beatsBound).length,
    restarted.length,
  ];
  return `| ${cells.join(" | ")} |`;
}

function figuresOf(answers: readonly Answer[]): Readonly<Record<Figure, number>> {
  const ms = answers.map((answer) => answer.ms);
  const known = answers.flatMap((answer) => answer.known ?? []);
  const knownMs = known.map((answer) => answer.ms);
  const gains = known.map(({ gain }) => gain);
  const gaps = answers.flatMap(({ gap }) => gap ?? []);
  const regrets = answers.flatMap(({ regret }) => (regret && Number.isFinite(regret.bps) ? regret.bps : []));
  const deep = answers.flatMap((answer) => answer.deep ?? []);
  const deepRegrets = deep.flatMap(({ regret }) => (Number.isFinite(regret.bps) ? regret.bps : []));
  const deepMs = deep.flatMap((one) => one.ms);
  return {
    "deep regret p50": quantile(deepRegrets, 0.5),
    "deep regret p90": quantile(deepRegrets, 0.9),
    "deep regret p99": quantile(deepRegrets, 0.99),
    "deep regret max": Math.max(...deepRegrets),
    "deep ms p50": quantile(deepMs, 0.5),
    "deep ms p99": quantile(deepMs, 0.99),
    "ms p50": quantile(ms, 0.5),
    "ms p99": quantile(ms, 0.99),
    "known ms p50": quantile(knownMs, 0.5),
    "known ms p99": quantile(knownMs, 0.99),
    "gain p10": quantile(gains, 0.1),
    "gain p50": quantile(gains, 0.5),
    "gain p90": quantile(gains, 0.9),
    "gap p50": quantile(gaps, 0.5),
    "gap p99": quantile(gaps, 0.99),
    "gap max": Math.max(...gaps),
    "regret p50": quantile(regrets, 0.5),
    "regret p90": quantile(regrets, 0.9),
    "regret p99": quantile(regrets, 0.99),
    "regret max": Math.max(...regrets),
    "% above 1 bp": (100 * regrets.filter((bps) => bps > VISIBLE_REGRET).length) / regrets.length,
  };
}

/** A figure in few digits; a dash for that of nothing. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 1e5) return value.toExponential(1);
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return value === 0 ? "0" : value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
