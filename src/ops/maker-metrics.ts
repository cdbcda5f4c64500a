import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** State and figures of one market maker, for the metrics. */
export interface MakerReading {
  readonly name: string;
  /** Whether it is asked and its levels are quoted; it is left alone for a while after failures. */
  readonly open: boolean;
  readonly status: string;
  readonly pairs: number;
  readonly answerRate: number;
  readonly keptRate: number;
  readonly fillRate: number;
  readonly score: number;
  /** Since the start: how its firm orders ended, and how quotes with them did when simulated. */
  readonly totals: ReadonlyMap<string, number>;
}

/** Seconds: a maker beside us, to the longest deadline that is usual. */
const ANSWER_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 1];

const GAUGES = [
  [
    "tributary_maker_live",
    "1 while the maker's levels are fresh",
    (maker: MakerReading) => Number(maker.status === "live"),
  ],
  [
    "tributary_maker_open",
    "0 while the maker is left alone after failures",
    (maker: MakerReading) => Number(maker.open),
  ],
  ["tributary_maker_pairs", "Pairs that the maker trades now", (maker: MakerReading) => maker.pairs],
  [
    "tributary_maker_answer_ratio",
    "Answers in time, of the latest questions",
    (maker: MakerReading) => maker.answerRate,
  ],
  [
    "tributary_maker_kept_ratio",
    "Orders as good as the levels, of the latest answers",
    (maker: MakerReading) => maker.keptRate,
  ],
  [
    "tributary_maker_fill_ratio",
    "Orders that could be filled, of the latest simulated",
    (maker: MakerReading) => maker.fillRate,
  ],
  ["tributary_maker_score", "Product of the three ratios", (maker: MakerReading) => maker.score],
] as const;

/** Measures makers: most of it is asked for with every scrape; `answered` is told of each answer. */
export function addMakerMetrics(
  registry: Registry,
  read: () => readonly MakerReading[],
): { answered(maker: string, outcome: string, seconds: number): void } {
  const registers = [registry];
  for (const [name, help, value] of GAUGES) {
    new Gauge({
      name,
      help,
      labelNames: ["maker"],
      registers,
      collect() {
        for (const maker of read()) this.set({ maker: maker.name }, value(maker));
      },
    });
  }
  new Counter({
    name: "tributary_maker_orders_total",
    help: "Firm orders asked for, by how that ended; and quotes with orders, by how their simulation ended",
    labelNames: ["maker", "outcome"],
    registers,
    collect() {
      this.reset();
      for (const { name, totals } of read()) {
        for (const [outcome, count] of totals) this.inc({ maker: name, outcome }, count);
      }
    },
  });
  const seconds = new Histogram({
    name: "tributary_maker_answer_duration_seconds",
    help: "Time from the question for a firm order to its answer, or to the end of waiting",
    labelNames: ["maker", "outcome"],
    buckets: ANSWER_BUCKETS,
    registers,
  });
  return { answered: (maker, outcome, time) => seconds.observe({ maker, outcome }, time) };
}
