import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../../.github/workflows", import.meta.url));
const workflows = readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")] as const);
/** Their queries and advisories are data, which are wanted newest. */
const BY_VERSION = /^(github\/codeql-action\/|actions\/dependency-review-action@)/;

describe("GitHub's workflows", () => {
  it("take actions by their hashes", () => {
    const used = workflows.flatMap(([, text]) => [...text.matchAll(/uses: (\S+)/g)].map(([, action = ""]) => action));
    expect(used.length).toBeGreaterThan(10);
    for (const action of used.filter((it) => !BY_VERSION.test(it))) expect(action).toMatch(/@[0-9a-f]{40}$/);
  });

  it("may only read, unless a job says more", () => {
    for (const [file, text] of workflows) expect(text, file).toMatch(/^permissions:\n {2}contents: read$/m);
  });

  it("give the right to publish to jobs that have none of our code", () => {
    const text = workflows.find(([file]) => file === "release.yml")?.[1] ?? "";
    const jobs = text.slice(text.indexOf("\njobs:\n")).split(/^ {2}(?=\w+:$)/m);
    const publishing = jobs.filter((job) => job.includes("id-token: write"));
    expect(publishing).toHaveLength(1);
    expect(publishing[0]).not.toMatch(/actions\/checkout|npm (ci|install|run|exec|test)|node .*\.ts/);
  });
});
