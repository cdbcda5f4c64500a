/** What the printed comparison says of one router in one universe. */
interface Line {
  readonly universe: string;
  readonly name: string;
  /** Processor time of an answer, milliseconds: median and 99th percentile. */
  readonly median: string;
  readonly slowest: string;
  score: string;
}

const UNIVERSE = /^(\S.*): (\d+ pools), \d+ tokens, \d+ requests$/;
const ROUTER = /^ {2}(\S.*?) +ms .*\| of a processor +(\S+) +\S+ +(\S+) \|/;
const SCORE = /^ {4}we bring more (\d+), the same (\d+), less (\d+); behind us, bp +(\S+)/;

/** The printed comparison as a table: who took how long, and how often we bring more. */
export function summaryOf(printed: readonly string[]): string {
  const found: Line[] = [];
  let universe = "";
  for (const text of printed) {
    const heading = UNIVERSE.exec(text);
    if (heading !== null) universe = `${heading[1]}, ${heading[2]}`;
    const router = ROUTER.exec(text);
    if (router !== null) {
      const [, name = "", median = "", slowest = ""] = router;
      found.push({ universe, name, median, slowest, score: "" });
    }
    const score = SCORE.exec(text);
    const last = found[found.length - 1];
    if (score !== null && last !== undefined && last.score === "") {
      const [, more, same, less, behind] = score;
      last.score = `${more} / ${same} / ${less} | ${behind}`;
    }
  }
  const rows = found.map(
    ({ universe: where, name, median, slowest, score }) =>
      `| ${where} | ${name} | ${median} / ${slowest} | ${score === "" ? "– | –" : score} |`,
  );
  return `${[
    "| universe | router | processor ms, p50 / p99 | we bring more / the same / less | behind us, bp p50 |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n")}\n`;
}
