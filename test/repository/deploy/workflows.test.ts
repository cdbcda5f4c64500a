import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = join(root, ".github/workflows");
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

describe("a release", () => {
  let copy: string;
  const read = (name: string) => readFileSync(join(copy, name), "utf8");
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), "release-"));
    for (const name of [".changeset", "CHANGELOG.md", "package.json"])
      cpSync(join(root, name), join(copy, name), { recursive: true });
    writeFileSync(join(copy, ".changeset/of-the-test.md"), '---\n"tributary": minor\n---\n\nA change of the test.\n');
    execFileSync(join(root, "node_modules/.bin/changeset"), ["version"], { cwd: copy, stdio: "pipe" });
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  it("takes all changes into the changelog, under a new version", () => {
    const before = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(JSON.parse(read("package.json")).version).not.toBe(before.version);
    expect(readdirSync(join(copy, ".changeset"))).toEqual(["config.json"]);
  });

  it("has the newest part of the changelog as its notes", () => {
    const text = workflows.find(([file]) => file === "release.yml")?.[1] ?? "";
    const [, command = ""] = /^( +awk [\s\S]*?> )release\/notes\.md$/m.exec(text) ?? [];
    const { version } = JSON.parse(read("package.json"));
    execFileSync("sh", ["-ec", `${command} notes.md`], { cwd: copy, env: { ...process.env, version } });
    expect(read("notes.md")).toContain("A change of the test.");
    expect(read("notes.md")).not.toMatch(/^## /m);
  });
});
