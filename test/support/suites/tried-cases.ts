import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, onTestFinished } from "vitest";
import { CASES_FOLDER, ROOT, type TriedCases } from "../../../tools/docs/tried-cases.ts";

/** Counts the random cases of one test. */
export interface CaseCounter {
  /** One more case: `ours` as computed, `theirs` as the contract says. Fails the test where they differ. */
  same(ours: unknown, theirs: unknown, where?: string): void;
}

/**
 * A counter for the running test, which compares our maths with a contract at random states and amounts. In a long run
 * (TRIBUTARY_LONG) what was counted is written to `folder` when the test has ended: an entry of before goes away first,
 * and none is written where the test failed for another reason than a difference. `what` tells the tests of a source apart.
 */
export function countCases(source: string, what: string, seed: number, folder = CASES_FOLDER): CaseCounter {
  const { testPath } = expect.getState();
  if (testPath === undefined) throw new Error("cases are counted inside of a test");
  const file = join(folder, `${source}.${what}.json`);
  let [cases, differences] = [0, 0];
  if (process.env.TRIBUTARY_LONG === "1") {
    rmSync(file, { force: true });
    onTestFinished(({ task }) => {
      if (task.result?.state === "fail" && differences === 0) return;
      const date = new Date().toISOString().slice(0, 10);
      const entry: TriedCases = { source, what, test: relative(ROOT, testPath), cases, differences, seed, date };
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, `${JSON.stringify(entry, null, 2)}\n`);
    });
  }
  return {
    same(ours, theirs, where) {
      cases++;
      if (isDeepStrictEqual(ours, theirs)) return;
      differences++;
      expect(ours, where).toStrictEqual(theirs);
    },
  };
}
