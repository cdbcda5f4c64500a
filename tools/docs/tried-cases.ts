import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/**
 * Folder with the counts of long test runs (`npm run test:long`), one file per test; see
 * test/support/suites/tried-cases.ts.
 */
export const CASES_FOLDER = join(ROOT, "docs", "cases");
/** Random cases against its contract that every source has to have behind it. */
export const MIN_CASES = 20_000;

/** Cases that one test tried in its last long run. */
export interface TriedCases {
  /** A protocol of venue records, or a kind of makers. */
  readonly source: string;
  /** Name of the test among the source's. */
  readonly what: string;
  /** Its file, from the root of the project. */
  readonly test: string;
  /** Random (state, amount, direction) at which our number was compared with the contract's. */
  readonly cases: number;
  /** Those at which they were not the same. */
  readonly differences: number;
  readonly seed: number;
  /** Day of the run, UTC. */
  readonly date: string;
}

export function readTriedCases(): readonly TriedCases[] {
  if (!existsSync(CASES_FOLDER)) return [];
  const files = readdirSync(CASES_FOLDER).filter((file) => file.endsWith(".json"));
  return files.sort().map((file) => JSON.parse(readFileSync(join(CASES_FOLDER, file), "utf8")) as TriedCases);
}

/** All of a source's cases and differences together. */
export function sumOfCases(tried: readonly TriedCases[], source: string): { cases: number; differences: number } {
  const own = tried.filter((each) => each.source === source);
  return {
    cases: own.reduce((sum, each) => sum + each.cases, 0),
    differences: own.reduce((sum, each) => sum + each.differences, 0),
  };
}

/**
 * Complaints about the record: sources with too few cases or with a difference, entries of no source or without a test.
 */
export function complaintsAbout(tried: readonly TriedCases[], sources: readonly string[]): readonly string[] {
  const strangers = tried.filter(({ source, test }) => !sources.includes(source) || !existsSync(join(ROOT, test)));
  return [
    ...sources.flatMap((source) => {
      const { cases, differences } = sumOfCases(tried, source);
      return [
        ...(cases < MIN_CASES ? [`${source}: ${cases} cases tried, ${MIN_CASES} are the least`] : []),
        ...(differences > 0 ? [`${source}: ${differences} of its cases differ from the contract`] : []),
      ];
    }),
    ...strangers.map(({ source, what, test }) => `docs/cases: ${source}.${what} is of no source or no test (${test})`),
  ];
}
