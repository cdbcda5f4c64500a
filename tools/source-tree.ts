import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parseSync } from "vite";

/** One node of a syntax tree in ESTree's shape, with offsets into the text. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** One import, export from, dynamic import, or URL of a module beside this one. */
export interface Import {
  /** The path of the importing file, from the root. */
  readonly file: string;
  /** Specifier as written. */
  readonly specifier: string;
  /** The path of the imported file, from the root; undefined for a package or a module of Node. */
  readonly target: string | undefined;
}

export interface SourceFile {
  /** From the root. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  /** The syntax tree of the whole file, parsed when it is asked for. */
  program(): SyntaxNode;
}

const SOURCE = /\.m?[tj]s$/;
const LEFT_OUT = /(^|\/)(node_modules|dist|out|bundle|\.cache)\//;
const MODULE_URL = /new URL\(\s*"(\.[^"]+\.ts)",\s*import\.meta\.url\s*\)/g;

/** Reads all source files below these folders of a tree, in the order of their paths. */
export function readTree(root: string, folders: readonly string[]): readonly SourceFile[] {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  );
  return paths
    .filter((path) => SOURCE.test(path) && !LEFT_OUT.test(path))
    .sort()
    .map((path) => parseFile(path, readFileSync(join(root, path), "utf8")));
}

/** Reads one file's text. Throws where the text is not a module. */
export function parseFile(path: string, text: string): SourceFile {
  const parsed = parseSync(path, text);
  const error = parsed.errors[0];
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  const { staticImports, staticExports, dynamicImports } = parsed.module;
  const specifiers = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...dynamicImports.flatMap(
      ({ moduleRequest: { start, end } }) => /^"(.*)"$/.exec(text.slice(start, end))?.[1] ?? [],
    ),
    ...[...text.matchAll(MODULE_URL)].map((match) => match[1] as string),
  ];
  const imports = [...new Set(specifiers)].map((specifier) => ({
    file: path,
    specifier,
    target: targetOf(path, specifier),
  }));
  const lines = text.split("\n").length - 1;
  return { path, text, lines, imports, program: () => parsed.program as unknown as SyntaxNode };
}

function targetOf(path: string, specifier: string): string | undefined {
  if (specifier.startsWith("#gen/")) return specifier.slice(1);
  return specifier.startsWith(".") ? normalize(join(dirname(path), specifier)) : undefined;
}

/** The nodes right below a node. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  return Object.values(node).flat().filter(isNode);
}

/** Visits a node and all below it, parents first; those below a node for which `visit` returns false are left out. */
export function walk(
  node: SyntaxNode,
  visit: (node: SyntaxNode, parent: SyntaxNode | undefined) => boolean | undefined,
  parent?: SyntaxNode,
): void {
  if (visit(node, parent) === false) return;
  for (const child of childrenOf(node)) walk(child, visit, node);
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof (value as SyntaxNode).type === "string";
}

const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];

/** Whether a node is a function with a body. */
export function isFunction(node: SyntaxNode): boolean {
  return FUNCTIONS.includes(node.type) && isNode(node.body);
}

/** The name of an identifier, of a key, or of what a node declares; undefined without one. */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (typeof node.name === "string") return node.name;
  return nameOf(node.id) ?? nameOf(node.key) ?? nameOf(node.property);
}

/** A function with a body, and how large it is. */
export interface NamedFunction {
  readonly name: string;
  readonly path: string;
  readonly lines: number;
  readonly parameters: number;
}

/** All functions below a node, those in others included. One without a name is called by what it is given to. */
export function functionsIn(program: SyntaxNode): readonly { readonly node: SyntaxNode; readonly name: string }[] {
  const found: { readonly node: SyntaxNode; readonly name: string }[] = [];
  walk(program, (node, parent) => {
    if (!isFunction(node)) return true;
    const name = nameOf(node) ?? (parent === undefined ? undefined : nameOf(parent)) ?? "without a name";
    found.push({ node, name });
    return true;
  });
  return found;
}

/** All functions of a file, and how large they are. */
export function functionsOf({ path, text, program }: SourceFile): readonly NamedFunction[] {
  return functionsIn(program()).map(({ node, name }) => {
    const parameters = (node.params as readonly SyntaxNode[]).filter((each) => nameOf(each) !== "this").length;
    return { name, path, parameters, lines: text.slice(node.start, node.end).split("\n").length };
  });
}
