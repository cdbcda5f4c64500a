/** A figure of the table that may have a goal. */
export type Goal =
  | "ms p50"
  | "ms p99"
  | "gap p50"
  | "gap p99"
  | "gap max"
  | "regret p50"
  | "regret p90"
  | "regret p99"
  | "regret max"
  | "% > 1 bp";

type Goals = Partial<Record<Goal, number>>;

const BEST: Goals = { "regret max": 10, "% > 1 bp": 1 };
const RANDOM_PAIRS: Goals = { "ms p50": 0.5, "ms p99": 5 };
const QUICK: Readonly<Record<string, Goals>> = {
  "v2-ftm": { "ms p50": 3, "ms p99": 20 },
  "v2-ftm-flat": { "ms p50": 2, "ms p99": 8 },
  "100k": { "ms p50": 10, "ms p99": 60 },
};

/** The goals for a row of the table: milliseconds of one core, basis points, per cent. */
export function goalsOf(set: string, { pairs, gwei }: { readonly pairs: string; readonly gwei: number }): Goals {
  const isLarge = set === "20k" || set === "100k";
  return {
    ...BEST,
    ...(pairs === "random" && !isLarge ? RANDOM_PAIRS : QUICK[set]),
    ...(set === "v2-ftm" && gwei > 0 && { "gap p50": 20 }),
  };
}
