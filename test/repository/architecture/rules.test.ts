import { describe, expect, it } from "vitest";
import { functionsOf, parseFile } from "../../../tools/source-tree.ts";
import { seamsOf } from "./implementations.ts";
import {
  importsAcrossLayers,
  importsAgainstOrder,
  importsBetweenModules,
  importsOutOfSource,
  type LayerFolders,
  type Modules,
  unlistedFiles,
  unusedBorrows,
} from "./import-rules.ts";
import { moduleMemory } from "./module-memory.ts";
import { implementationsUnheld } from "./seams.ts";
import { complaintsAboutSizes, ENTRIES, functionSizes } from "./sizes.ts";
import { wireFacts } from "./wire-facts.ts";

const FOLDERS: LayerFolders = { folders: ["low", "high"], importable: ["layer/word.ts"], assembly: ["layer/frame.ts"] };
const MODULES: Modules = {
  shared: ["a", "b"],
  borrows: { x: ["y"] },
  importable: ["set/word.ts"],
  assembly: ["set/index.ts"],
};

function importing(path: string, specifier: string) {
  return [parseFile(path, `import { x } from "${specifier}";\nexport const y = x;\n`)];
}

describe("rules of imports", () => {
  it.each([
    ["into a layer below", "src/low/a.ts", "../base/b.ts", 0],
    ["into a layer that the table does not name", "src/base/a.ts", "../low/b.ts", 1],
    ["from tests into benchmarks", "test/a.test.ts", "../bench/b.ts", 1],
  ])("across layers: %s", (_what, path, specifier, complaints) => {
    const table = { base: [], low: ["base"], test: ["low", "base"] };
    expect(importsAcrossLayers(importing(path, specifier), table)).toHaveLength(complaints);
  });

  it.each([
    ["export { x } from", 'export { x } from "../low/b.ts";'],
    ["export * from", 'export * from "../low/b.ts";'],
    ["a bare import", 'import "../low/b.ts";'],
    ["a type", 'import type { X } from "../low/b.ts";\nexport type Y = X;'],
    ["a dynamic import", 'export const load = () => import("../low/b.ts");'],
    ["the URL of a worker", 'export const url = new URL("../low/b.ts", import.meta.url);'],
    ["an import over several lines", 'import {\n  x,\n} from "../low/b.ts";\nexport const y = x;'],
  ])("see %s", (_form, text) => {
    expect(importsAcrossLayers([parseFile("src/base/a.ts", text)], { base: [] })).toHaveLength(1);
  });

  it.each([
    ["generated code by the layer that may", "src/api/a.ts", "#gen/b.ts", 0],
    ["generated code by another", "src/quoting/a.ts", "#gen/b.ts", 1],
    ["fixtures", "src/api/a.ts", "../../fixtures/b.ts", 1],
    ["a test's support", "src/main.ts", "../test/support/b.ts", 1],
  ])("out of src: %s", (_what, path, specifier, complaints) => {
    expect(importsOutOfSource(importing(path, specifier), [["src/api/", "gen/"]])).toHaveLength(complaints);
  });

  it.each([
    ["a folder above", "src/layer/high/a.ts", "../low/b.ts", 0],
    ["a folder below", "src/layer/low/a.ts", "../high/b.ts", 1],
    ["an importable file", "src/layer/low/a.ts", "../word.ts", 0],
    ["an assembly file", "src/layer/high/a.ts", "../frame.ts", 1],
    ["folders, by an assembly file", "src/layer/frame.ts", "./high/b.ts", 0],
  ])("between folders: %s", (_what, path, specifier, complaints) => {
    expect(importsAgainstOrder(importing(path, specifier), "layer", FOLDERS)).toHaveLength(complaints);
  });

  it.each([
    ["what is shared", "src/set/x/a.ts", "../b/b.ts", 0],
    ["a loan", "src/set/x/a.ts", "../y/b.ts", 0],
    ["the other way round", "src/set/y/a.ts", "../x/b.ts", 1],
    ["a module, by what is shared", "src/set/a/a.ts", "../x/b.ts", 1],
    ["a later one of what is shared", "src/set/a/a.ts", "../b/b.ts", 1],
    ["an earlier one of what is shared", "src/set/b/a.ts", "../a/b.ts", 0],
    ["the index", "src/set/x/a.ts", "../index.ts", 1],
  ])("between modules: %s", (_what, path, specifier, complaints) => {
    expect(importsBetweenModules(importing(path, specifier), "set", MODULES)).toHaveLength(complaints);
  });

  it("name loans that nobody takes", () => {
    expect(unusedBorrows(importing("src/set/x/a.ts", "../y/b.ts"), "set", MODULES)).toEqual([]);
    expect(unusedBorrows(importing("src/set/x/a.ts", "../a/b.ts"), "set", MODULES)).toEqual(["x → y"]);
  });

  it.each([
    ["src/main.ts", false],
    ["src/other.ts", true],
    ["src/flat/a.ts", false],
    ["src/flat/new/a.ts", true],
    ["src/layer/word.ts", false],
    ["src/layer/new.ts", true],
    ["src/layer/low/a.ts", false],
    ["src/layer/new/a.ts", true],
    ["src/layer/low/deep/a.ts", true],
    ["src/set/new/a.ts", false],
    ["src/set/new.ts", true],
  ])("know whether a table names %s", (path, isUnlisted) => {
    const found = unlistedFiles([parseFile(path, "export {};\n")], { layer: FOLDERS }, { set: MODULES });
    expect(found).toEqual(isUnlisted ? [path] : []);
  });
});

describe("memory of a module", () => {
  it.each([
    ["a variable", "let count = 0;\nexport const next = () => count++;"],
    ["an array with capacity", "const a = new Float64Array(3);"],
    ["capacity by length", "const a = new Array(n);"],
    ["an exported map", "export const a = new Map();"],
    ["a cache by object", "const a = new WeakMap<object, string>();"],
    ["an empty list", "const a: string[] = [];"],
    ["an empty record", "const a: Record<string, string> = {};"],
    ["an empty list under another type", "const a = [] as string[];"],
    ["capacity inside of a record", "const a = { b: { c: new Int32Array(8) } };"],
    ["what a factory gives", "const a = emptyUse();"],
    ["bytes", "const a = Buffer.alloc(32);"],
    ["a copy", "const a = Float64Array.from(other);"],
    ["an object of a class", "const a = new Cache();"],
    ["a list that is written into", "const a = [1, 2];\nexport const f = (n: number) => { a[0] = n; };"],
    ["a list that grows", "const a = [1, 2];\nexport function f() { a.push(3); }"],
    ["a record that is counted up", "const a = { b: { c: 1 } };\nexport function f() { a.b.c++; }"],
    ["a record that loses a member", "const a = { b: 1 } as { b?: number };\nexport function f() { delete a.b; }"],
    ["a member of a class", "export class A { static a = 1; }"],
    ["a read-only member of a class", "export class A { static readonly a = new Map(); }"],
  ])("is %s", (_what, text) => {
    expect(moduleMemory(parseFile("src/a.ts", text))).toHaveLength(1);
  });

  it.each([
    ["a number", "const a = 1;"],
    ["a list that nobody writes into", "const a = [1, 2];"],
    ["a read-only set", 'const a: ReadonlySet<string> = new Set(["a"]);'],
    ["an empty read-only list", "const a: readonly string[] = [];"],
    ["an array without capacity", "const a = new Float64Array(0);"],
    ["a pattern of text", 'const a = new RegExp("a");'],
    ["memory of a call", "export function f() { const a = new Map(); a.set(1, 2); return a; }"],
    ["a name that a function has of its own", "const a = [1];\nexport function f(a: number[]) { a.push(1); }"],
    ["a function", "const a = () => new Map();"],
  ])("is not %s", (_what, text) => {
    expect(moduleMemory(parseFile("src/a.ts", text))).toEqual([]);
  });
});

describe("a fact of the wire", () => {
  it.each([
    ["a status", "const a = { status: 404 };"],
    ["the code of an item", "const a = { code: 1004 };"],
    ["a status that is compared", "const a = answer.statusCode === 503;"],
    ["a status by its name", "const HTTP_STATUS = 429;"],
    ["a type of codes", "type Code = 1000;"],
    ["an amount as text", "const a = String(amount);"],
    ["an amount as text by its method", "const a = amount.toString();"],
    ["a number as text", "const a = price.toFixed(2);"],
    ["an amount in whole tokens", 'import { formatUnits } from "viem";'],
    ["an amount read from text", 'import { parseUnits as read } from "viem";'],
    ["a function that writes amounts", "function formatScaled() {}"],
    ["the size of a word", "const WORD_BYTES = 32;"],
    ["a sum of sizes", "const TERMS_BYTES = 4 + 32 * 11;"],
    ["sizes by kind", "const BEGINNING_BYTES = { exactIn: 2, exactOut: 34 } as const;"],
    ["a size among others", "const a = { calldataBytes: 36 };"],
  ])("is %s", (_what, text) => {
    expect(wireFacts(parseFile("src/quoting/a.ts", text))).toHaveLength(1);
  });

  it.each([
    ["a number like a status", "const MAX_NEW = 500;"],
    ["a text for a human", "const a = `$" + "{String(error)}`;"],
    ["bits", "const a = value.toString(2).length;"],
    ["a size that is measured", "const calldataBytes = data.length / 2 - 1;"],
  ])("is not %s", (_what, text) => {
    expect(wireFacts(parseFile("src/quoting/a.ts", text))).toEqual([]);
  });
});

describe("an implementation", () => {
  const port = parseFile("src/low/port.ts", "export interface Port { go(far: number): void; readonly name: string }");
  const files = (text: string) => [
    port,
    parseFile("src/low/parts.ts", 'import type { Port } from "./port.ts";\nexport interface Parts { port: Port }'),
    parseFile("src/high/a.ts", `import type { Port } from "../low/port.ts";\n${text}`),
  ];
  const implementing = (text: string) => seamsOf(files(text)).flatMap(({ implementations }) => implementations);

  it.each([
    ["what a function returns", 'function f(): Port { return { go() {}, name: "" }; }'],
    ["what an arrow gives", 'const f = (): Port => ({ go() {}, name: "" });'],
    ["what is promised", 'async function f(): Promise<Port> { return { go() {}, name: "" }; }'],
    ["what is more than that", 'function f(): Port & { b: 1 } { return { go() {}, name: "", b: 1 }; }'],
    ["what may be missing", 'function f(): Port | undefined { return { go() {}, name: "" }; }'],
    ["a constant", 'const a: Port = { go() {}, name: "" };'],
    ["a class", 'class A implements Port { go() {} name = ""; }'],
    ["an interface's heir", "interface B extends Port { b: 1 }\nconst b: B = { go() {}, name: '', b: 1 };"],
    ["an object among parts", 'f({ port: { go() {}, name: "" } });'],
    ["one that keeps a part of another", "const f = (a: Port): Port => ({ go() {}, name: a.name });"],
  ])("is %s", (_what, text) => {
    expect(implementing(text)).toEqual(["src/high/a.ts"]);
  });

  it.each([
    ["what another function made", "function f(): Port { return make(); }"],
    [
      "what an inner function returns",
      'function f(): Port { const g = () => ({ go() {}, name: "" }); return make(g); }',
    ],
    ["what passes every call on", "function f(a: A): Port { return { go: (far) => a.go(far) }; }"],
    ["what changes a part of another", "function f(a: Port): Port { return { ...a, go() {} }; }"],
    ["an object that lacks a member", "f({ port: { go() {} } });"],
    ["an object under another name", 'f({ other: { go() {}, name: "" } });'],
    ["another interface of that name", "namespace N { interface Port { go(): void } }\nf({ go() {} });"],
  ])("is not %s", (_what, text) => {
    expect(implementing(text)).toEqual([]);
  });

  it("is told apart by where its interface stands, and is none of an interface without methods", () => {
    const own =
      "interface Port { go(): void }\nconst a: Port = { go() {} };\ninterface D { b: 1 }\nconst d: D = { b: 1 };";
    expect(seamsOf([port, parseFile("src/high/b.ts", own)])).toEqual([
      { name: "Port", file: "src/high/b.ts", implementations: ["src/high/b.ts"] },
    ]);
  });
});

describe("a suite", () => {
  const importing = (path: string, ...targets: readonly string[]) =>
    parseFile(path, targets.map((target) => `import { Port } from "${target}";`).join("\n"));
  const made = 'import type { Port } from "./port.ts";\nexport const a: Port = { go() {} };\n';
  const product = [
    parseFile("src/low/port.ts", "export interface Port { go(): void }"),
    parseFile("src/low/a.ts", made),
    parseFile("src/high/b.ts", made.replace("./port", "../low/port")),
    importing("src/high/index.ts", "./b.ts"),
    importing("src/high/user.ts", "./b.ts"),
  ];
  const suite = importing("test/low/port.suite.ts", "../../src/low/port.ts");
  const unheld = "src/low/port.ts: Port of src/high/b.ts";
  const complaints = (...tests: readonly ReturnType<typeof importing>[]) =>
    implementationsUnheld(seamsOf(product), [...product, ...tests]);

  it.each([
    ["nowhere", [], ["src/low/port.ts: Port"]],
    ["run by nobody", [suite], [unheld, "src/low/port.ts: Port of src/low/a.ts"]],
    ["run by one", [suite, importing("test/a.test.ts", "./low/port.suite.ts", "../src/low/a.ts")], [unheld]],
    [
      "run by all, in two tests",
      [
        suite,
        importing("test/a.test.ts", "./low/port.suite.ts", "../src/low/a.ts"),
        importing("test/b.test.ts", "./low/port.suite.ts", "../src/high/b.ts"),
      ],
      [],
    ],
    [
      "run by way of a helper and of an index",
      [
        suite,
        importing("test/a.test.ts", "./low/port.suite.ts", "../fixtures/help.ts", "../src/high/index.ts"),
        importing("fixtures/help.ts", "../src/low/a.ts"),
      ],
      [],
    ],
    [
      "run by way of what only uses it",
      [suite, importing("test/a.test.ts", "./low/port.suite.ts", "../src/low/a.ts", "../src/high/user.ts")],
      [unheld],
    ],
  ])("is asked for where it is %s", (_what, tests, expected) => {
    expect(complaints(...tests)).toEqual(expected);
  });

  it("is not asked for within a layer", () => {
    const inside = product.map((file) => parseFile(file.path.replace("src/high", "src/low/deep"), file.text));
    expect(implementationsUnheld(seamsOf(inside), inside)).toEqual([]);
  });
});

describe("sizes", () => {
  it("may not exceed the limit or their own figure, and figures follow them down", () => {
    const sizes = new Map(Object.entries({ small: 20, large: 21, held: 30, grown: 31, shrunk: 29, fine: 20 }));
    const complaints = complaintsAboutSizes(sizes, ENTRIES, { held: 30, grown: 30, shrunk: 30, fine: 20, gone: 40 });
    expect(complaints.map((text) => text.split(" ")[0])).toEqual(["large", "grown", "shrunk", "fine", "gone"]);
  });

  it("are counted for functions wherever they stand, by the largest of a name", () => {
    const text = "class A { a(b, c) {} }\nfunction a(this: A, b) {\n}\nconst d = { e: (f) => f };\n";
    const functions = functionsOf(parseFile("src/a.ts", text));
    expect(Object.fromEntries(functionSizes(functions, "parameters"))).toEqual({ "src/a.ts: a": 2, "src/a.ts: e": 1 });
    expect(functionSizes(functions, "lines").get("src/a.ts: a")).toBe(2);
  });
});
