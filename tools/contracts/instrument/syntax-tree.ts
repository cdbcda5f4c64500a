/** The syntax trees of contracts/src, as the compiler makes them. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Compiler } from "../solidity/pinned-compiler.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const solc = createRequire(import.meta.url)("solc") as Compiler;

/** One node of a tree, with what its kind has beside. */
export interface Node {
  readonly id: number;
  readonly nodeType: string;
  /** Location: start, length, number of the source. */
  readonly src: string;
  readonly [field: string]: unknown;
}

export interface Source {
  /** Under the project's folder: contracts/src/Gateway.sol. */
  readonly path: string;
  readonly text: string;
  readonly tree: Node;
}

interface Problem {
  readonly severity: string;
  readonly formattedMessage: string;
  readonly sourceLocation?: { readonly file: string; readonly start: number; readonly end: number };
}

export interface Checked {
  readonly trees: ReadonlyMap<string, Node>;
  readonly errors: readonly Problem[];
}

/** Paths of all sources of contracts/src to their texts. */
function sourceTexts(): ReadonlyMap<string, string> {
  const folder = join(root, "contracts", "src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".sol"));
  return new Map(files.sort().map((name) => [`contracts/src/${name}`, readFileSync(join(folder, name), "utf8")]));
}

/** Checks names and types of sources, and makes no code. */
export function check(texts: ReadonlyMap<string, string>): Checked {
  const input = {
    language: "Solidity",
    sources: Object.fromEntries([...texts].map(([path, content]) => [path, { content }])),
    settings: { evmVersion: "cancun", outputSelection: { "*": { "": ["ast"] } } },
  };
  const missing = (path: string) => ({ error: `no such file: ${path}` });
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: missing })) as {
    readonly errors?: readonly Problem[];
    readonly sources?: Readonly<Record<string, { readonly ast: Node }>>;
  };
  return {
    trees: new Map(Object.entries(output.sources ?? {}).map(([path, { ast }]) => [path, ast])),
    errors: (output.errors ?? []).filter(({ severity }) => severity === "error"),
  };
}

export function readSources(): readonly Source[] {
  const texts = sourceTexts();
  const { trees } = check(texts);
  return [...texts].map(([path, text]) => ({ path, text, tree: trees.get(path) as Node }));
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "nodeType" in value;
}

/** The nodes right under one, in the order of the source. */
export function childrenOf(node: Node): readonly Node[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)
    .sort((a, b) => startOf(a) - startOf(b));
}

/** Calls `see` with a node and all below it, those above first. */
export function walk(node: Node, see: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
  see(node, parent);
  for (const child of childrenOf(node)) walk(child, see, node);
}

/** The functions and modifiers of a source that have a body. */
export function bodiesOf(tree: Node): readonly Node[] {
  const bodies: Node[] = [];
  walk(tree, (node) => {
    const isCode = node.nodeType === "FunctionDefinition" || node.nodeType === "ModifierDefinition";
    if (isCode && isNode(node.body)) bodies.push(node.body);
  });
  return bodies;
}

// Sources are ASCII, so that the compiler's bytes are characters.
export const startOf = ({ src }: Node): number => Number(src.split(":")[0]);
export const endOf = (node: Node): number => startOf(node) + Number(node.src.split(":")[1]);
export const textOf = (node: Node, source: string): string => source.slice(startOf(node), endOf(node));
export const lineOf = (node: Node, source: string): number => source.slice(0, startOf(node)).split("\n").length;

const STATEMENTS: ReadonlySet<string> = new Set([
  ...["ExpressionStatement", "VariableDeclarationStatement", "Return", "RevertStatement", "EmitStatement"],
  ...["IfStatement", "ForStatement", "WhileStatement", "InlineAssembly"],
]);

export const isStatement = ({ nodeType }: Node): boolean => STATEMENTS.has(nodeType);

/** End of a statement, its semicolon included: the compiler leaves that out. */
export function statementEnd(node: Node, source: string): number {
  if (node.nodeType === "IfStatement") {
    return statementEnd((isNode(node.falseBody) ? node.falseBody : node.trueBody) as Node, source);
  }
  if (node.nodeType === "ForStatement" || node.nodeType === "WhileStatement") {
    return statementEnd(node.body as Node, source);
  }
  if (node.nodeType === "Block" || node.nodeType === "UncheckedBlock" || node.nodeType === "InlineAssembly") {
    return endOf(node);
  }
  // A return of nothing ends behind its semicolon, or before it.
  const isBare = node.nodeType === "Return" && !isNode(node.expression);
  return source.indexOf(";", isBare ? startOf(node) : endOf(node)) + 1;
}

/** Text put before and behind a part of a source. What is put around a part may lie within another, never across it. */
export interface Wrap {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly behind: string;
}

/** A source with all wraps; of those around one part the first stands outside. */
export function wrapped(source: string, wraps: readonly Wrap[]): string {
  const inserts = wraps.flatMap(({ start, end, before, behind }, at) => [
    // At one place ends come before beginnings; the last insert to begin is the first to end.
    { place: start, order: at, text: before },
    { place: end, order: -1 - at, text: behind },
  ]);
  inserts.sort((a, b) => a.place - b.place || a.order - b.order);
  let made = "";
  let last = 0;
  for (const { place, text } of inserts) {
    made += source.slice(last, place) + text;
    last = place;
  }
  return made + source.slice(last);
}

/** Adds an import of names from a file beside the sources, behind the first line of a source. */
export function withImport(path: string, text: string, file: string, names: readonly string[]): string {
  const up = path.split("/").length === 4 ? ".." : ".";
  return text.replace(/^pragma [^\n]*\n/m, (pragma) => `${pragma}import {${names.join(", ")}} from "${up}/${file}";\n`);
}
