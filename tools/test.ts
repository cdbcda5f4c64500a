/**
 * Runs the tests, with the arguments of vitest, and ends with the line `N passed, N failed` of the runner's own report.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const report = join(root, ".cache", "test-report.json");

mkdirSync(join(root, ".cache"), { recursive: true });
rmSync(report, { force: true });
const { status } = spawnSync(
  process.execPath,
  [
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: "inherit" },
);
if (!existsSync(report)) {
  console.error("vitest ended without a report");
  process.exit(1);
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly success: boolean;
}

const counts = JSON.parse(readFileSync(report, "utf8")) as Report;
if (counts.numPendingTests > 0) console.log(`${counts.numPendingTests} skipped`);
console.log(`${counts.numPassedTests} passed, ${counts.numFailedTests} failed`);
process.exitCode = status === 0 && counts.success ? 0 : 1;
