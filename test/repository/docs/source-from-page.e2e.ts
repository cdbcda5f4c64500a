import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const page = readFileSync(join(root, "docs", "adding-a-source.md"), "utf8");

/** Files of the copy: all that is compiled, and what that reads. */
const COPIED = [
  ...["bench", "console/src", "contracts", "fixtures", "gen", "proto", "src", "test", "tools"],
  ...["buf.gen.yaml", "buf.yaml", "package.json", "tsconfig.json", "vitest.config.ts"],
];
/** Names of the example that stand nowhere but in its own files. */
const NAMED = /\bpsm|Psm\b|\bPSM\b|StabilityModules|STABILITY_MODULES/;
/** Beside the listed files these name the example: the devnet and the chains that have one, tests, tools, benchmarks. */
const MAY_NAME =
  /^(contracts\/addresses\.json$|(src\/devnet|src\/chain\/chains\/records|contracts\/(?!src|venue-codes)\w+|test|tools|bench|fixtures)\/)/;

/** Lines that the page adds to a file: after another line, at the end, or at the top. */
interface Addition {
  readonly file: string;
  readonly lines: string;
  readonly where: "top" | "end" | { readonly after: string };
}

const additions = [...page.matchAll(/<!-- lines -->\n```\w+\n\/\/ (\S+)\n([\s\S]*?)```/g)].flatMap(
  ([, file = "", text = ""]) =>
    text
      .trimEnd()
      .split("\n\n")
      .map((group) => additionTo(file, group.replace(/^\n/, ""))),
);

function additionTo(file: string, group: string): Addition {
  const [first = "", ...rest] = group.split("\n");
  const after = first.match(/^\/\/ after: (.+)$/)?.[1];
  if (after !== undefined) return { file, lines: rest.join("\n"), where: { after } };
  if (first === "// at the end") return { file, lines: rest.join("\n"), where: "end" };
  return { file, lines: group, where: "top" };
}

const rows = [...page.matchAll(/^\| (\w+) \| `([^`]+)` \| (.+) \|$/gm)].map(([, part = "", file = "", by = ""]) => ({
  part,
  file,
  by,
}));
const filesOf = (...parts: readonly string[]) =>
  rows.filter(({ part }) => parts.includes(part)).map(({ file }) => file);
const compiled = filesOf("compiled");

/** Files of its own that the example consists of. */
const own = rows
  .filter(({ part, by }) => ["venue", "action", "curve"].includes(part) && by === "hand")
  .flatMap(({ file }) => (file.endsWith("/") ? readdirSync(join(root, file)).map((name) => file + name) : [file]));

describe("a venue and a curve, taken out and put back as docs/adding-a-source.md lists them", () => {
  const copy = mkdtempSync(join(tmpdir(), "source-from-page-"));
  let without: ReadonlyMap<string, string>;
  let built: ReadonlyMap<string, string>;

  beforeAll(() => {
    for (const name of COPIED) cpSync(join(root, name), join(copy, name), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    for (const file of own) rmSync(join(copy, file));
    for (const addition of additions) edit(addition.file, (text) => textWithout(text, addition));
    generate();
    without = filesIn(copy);
    for (const file of own) cpSync(join(root, file), join(copy, file));
    for (const addition of additions) edit(addition.file, (text) => textWith(text, addition));
    generate();
    built = filesIn(copy);
  }, 240_000);
  afterAll(() => rmSync(copy, { recursive: true }));

  function edit(file: string, change: (text: string) => string): void {
    writeFileSync(join(copy, file), change(readFileSync(join(copy, file), "utf8")));
  }

  /** Runs a program of the copy, which has to succeed. */
  function run(program: string, ...words: readonly string[]): void {
    const bin = join(root, "node_modules", ".bin");
    const environment = Object.entries(process.env).filter(
      ([name]) => !/^(VITEST|NODE_ENV|TEST$|TEST_KINDS$)/.test(name),
    );
    const env = { ...Object.fromEntries(environment), PATH: `${bin}${delimiter}${process.env.PATH}` };
    try {
      execFileSync(program, words, { cwd: copy, env, encoding: "utf8" });
    } catch (error) {
      const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
      throw new Error(`${program} ${words.join(" ")}\n${stdout}${stderr}`, { cause: error });
    }
  }

  function generate(): void {
    run("buf", "generate");
    run("node", "tools/contracts/venue-codes.ts");
  }

  it("changes the files that the page lists, and no others", () => {
    const changed = [...new Set([...without.keys(), ...built.keys()])].filter(
      (file) => without.get(file) !== built.get(file),
    );
    expect(changed.length).toBeGreaterThan(own.length);
    const listed = filesOf("venue", "action", "curve");
    expect(changed.filter((file) => !listed.some((each) => isIn(file, each)))).toEqual([]);
    expect(listed.filter((each) => !changed.some((file) => isIn(file, each)))).toEqual([]);
  });

  it("is named nowhere else", () => {
    expect([...built].filter(([, text]) => NAMED.test(text)).length).toBeGreaterThan(own.length);
    const elsewhere = [...without].filter(
      ([file, text]) => NAMED.test(text) && !MAY_NAME.test(file) && !compiled.some((each) => isIn(file, each)),
    );
    expect(elsewhere.map(([file]) => file)).toEqual([]);
  });

  it("has in its folders what the page tells of, and no more", () => {
    const told = [...page.matchAll(/^\| \[[\w-]+\.ts\]\(\.\.\/(\S+)\)/gm)].map(([, file = ""]) => file);
    expect(told.length).toBeGreaterThan(10);
    expect(told.toSorted()).toEqual(own.filter((file) => file.endsWith(".ts")).toSorted());
  });

  // The lines are the repository's own, in another order: `npm run check -- types` compiles them.
  it.runIf(process.env.TRIBUTARY_LONG === "1")("compiles", () => run("tsc", "-p", "."), 240_000);

  it("passes its tests: every source's, every curve's, and against the contract", () => {
    const tests = filesOf("tests");
    expect(tests.length).toBeGreaterThan(2);
    for (const file of [...tests, ...filesOf("lines")]) expect(existsSync(join(root, file)), file).toBe(true);
    run("vitest", "run", "--maxWorkers", "1", ...tests);
  }, 240_000);
});

/** Whether a file is a listed one, or in a listed folder. */
function isIn(file: string, listed: string): boolean {
  return listed.endsWith("/") ? file.startsWith(listed) : file === listed;
}

function textWithout(text: string, { file, lines }: Addition): string {
  const parts = `\n${text}`.split(`\n${lines}\n`);
  if (parts.length !== 2) throw new Error(`${file} has these lines ${parts.length - 1} times:\n${lines}`);
  return parts.join("\n").slice(1);
}

function textWith(text: string, { file, lines, where }: Addition): string {
  if (where === "top") return `${lines}\n${text}`;
  if (where === "end") return `${text}\n${lines}\n`;
  const given = text.split("\n");
  const index = given.findIndex((line) => line.trim() === where.after);
  if (index < 0) throw new Error(`${file} has no line ${where.after}`);
  return [...given.slice(0, index + 1), lines, ...given.slice(index + 1)].join("\n");
}

/** Text of every file of the copy, by its path. */
function filesIn(folder: string): ReadonlyMap<string, string> {
  const names = COPIED.flatMap((name) =>
    statSync(join(folder, name)).isDirectory()
      ? readdirSync(join(folder, name), { recursive: true, encoding: "utf8" }).map((file) => join(name, file))
      : [name],
  );
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}
