import type { Row } from "./table.ts";

/** A figure of the table that may have a goal: milliseconds of one core, basis points, per cent. */
export type Figure =
  | "ms p50"
  | "ms p99"
  | "known ms p50"
  | "known ms p99"
  | "gain p10"
  | "gain p50"
  | "gain p90"
  | "gap p50"
  | "gap p99"
  | "gap max"
  | "regret p50"
  | "regret p90"
  | "regret p99"
  | "regret max"
  | "% above 1 bp"
  | "deep regret p50"
  | "deep regret p90"
  | "deep regret p99"
  | "deep regret max"
  | "deep ms p50"
  | "deep ms p99";

type Goals = Readonly<Partial<Record<Figure, number | undefined>>>;

/** No restart pays more than 1 bp more in more than 1 of 100 requests, and none more than 10 bp. */
const BEST: Goals = { "regret max": 10, "% above 1 bp": 1, "deep regret max": 10 };
const RANDOM_PAIRS: Goals = { "ms p50": 0.5, "ms p99": 5 };
const BEST_CONNECTED: Readonly<Record<string, Goals>> = {
  "v2-ftm": { "ms p50": 3, "ms p99": 20 },
  "v2-ftm-flat": { "ms p50": 2, "ms p99": 8 },
};
const LARGE: Goals = { "ms p50": 10, "ms p99": 60 };
/** With gas, on pools that disagree. */
const PROVEN: Goals = { "gap p50": 20 };

/** The goals of a row. */
export function goalsOf({ key, pairs, gwei }: Pick<Row, "key" | "pairs" | "gwei">): Goals {
  const isLarge = key === "20k" || key === "100k";
  const time = isLarge ? LARGE : pairs === "random" ? RANDOM_PAIRS : BEST_CONNECTED[key];
  const known = { "known ms p50": time?.["ms p50"], "known ms p99": time?.["ms p99"] };
  return { ...BEST, ...time, ...(time && known), ...(key === "v2-ftm" && gwei > 0 && PROVEN) };
}
