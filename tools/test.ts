/**
 * Runs the tests, with the arguments of vitest, then looks for keys and URLs in all that the services of the tests have
 * logged, and ends with the line `N passed, N failed` of the runner's own report.
 *
 *   npm test -- test/api              the service's tests of this folder
 *   npm run test:end-to-end           drives what is around the service as its users do: the files named `*.e2e.ts`
 *   npm run test:long                 both kinds, with long random runs
 *   npm run test:foreign -- FOLDER    compares with another team's data, which is no part of the project: runs the files
 *                                     named `*.foreign.ts` over the folder's `vectors`, `universe` and `contracts`
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findSecrets, readTestLogs, secretsOfTests } from "./find-secrets.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const report = join(root, ".cache", "test-report.json");

const words = process.argv.slice(2);
/** Folder of the other team's data; undefined if the run is not about it. */
let data: string | undefined;
let kinds = process.env.TRIBUTARY_LONG === "1" ? "service,end-to-end" : "service";
if (words[0] === "--end-to-end") {
  kinds = "end-to-end";
  words.shift();
} else if (words[0] === "--foreign") {
  kinds = "foreign";
  data = words.splice(0, 2)[1] ?? "";
}
if (data !== undefined && !existsSync(join(data, "vectors"))) {
  console.error(`There is no "${join(data, "vectors")}". Name the folder of the data: npm run test:foreign -- FOLDER`);
  process.exit(2);
}

mkdirSync(join(root, ".cache"), { recursive: true });
rmSync(report, { force: true });
const logs = mkdtempSync(join(root, ".cache", "test-logs-"));
const { status } = spawnSync(
  process.execPath,
  [
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...words,
  ],
  {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      ...{ TEST_KINDS: kinds, TRIBUTARY_TEST_LOGS: logs },
      ...(data !== undefined && { FOREIGN_DATA: resolve(data) }),
    },
  },
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

const { lines, secrets } = readTestLogs(logs);
rmSync(logs, { recursive: true });
const leaks = findSecrets(lines, [...secrets, ...secretsOfTests(join(root, "test"))]);
for (const { what, line } of leaks.slice(0, 20)) console.error(`${what} is in a log line: ${line}`);
console.log(`${lines.length} log lines, ${leaks.length} with a secret`);

const counts = JSON.parse(readFileSync(report, "utf8")) as Report;
if (counts.numPendingTests > 0) console.log(`${counts.numPendingTests} skipped`);
console.log(`${counts.numPassedTests} passed, ${counts.numFailedTests} failed`);
process.exitCode = status === 0 && counts.success && leaks.length === 0 ? 0 : 1;
