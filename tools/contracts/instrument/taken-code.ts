/**
 * Code of a source by itself, as pure functions that a model checker reads: an expression or a body, in which all that is
 * read from elsewhere (members, entries, calls, variables from around) has become a parameter, in the order of the text.
 */
import { childrenOf, endOf, isNode, type Node, type Source, startOf, textOf, walk } from "./syntax-tree.ts";

/** Part taken from a function: the expression of one variable, or the whole body. */
export interface Wanted {
  readonly name: string;
  readonly from: string;
  /** A variable that is declared there, or that a compound assignment changes; undefined: the body. */
  readonly variable?: string;
}

interface Read {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

const READS: ReadonlySet<string> = new Set(["MemberAccess", "IndexAccess", "FunctionCall"]);
const isConstant = (name: string) => /^[A-Z][A-Z0-9_]+$/.test(name);

/** The constants of a source, as constants of a file, and a library of what is wanted of it. */
export function takenFrom(source: Source, wanted: readonly Wanted[]): string {
  const constants: string[] = [];
  walk(source.tree, (node) => {
    if (node.nodeType !== "VariableDeclaration" || node.stateVariable !== true || !isNode(node.value)) return;
    constants.push(`uint256 constant ${node.name as string} = ${textOf(node.value, source.text)};`);
  });
  const functions = wanted.map((each) => functionOf(source, each));
  return `// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

${constants.join("\n")}

library Taken {
${functions.join("\n")}
}
`;
}

function functionOf(source: Source, { name, from, variable }: Wanted): string {
  const body = found(source.tree, (node) => node.nodeType === "FunctionDefinition" && node.name === from, from)
    .body as Node;
  const part = variable === undefined ? body : madeOf(body, variable);
  const reads = readsOf(part);
  let text = textOf(part, source.text);
  for (const { start, end, name: read } of reads.toReversed()) {
    text = text.slice(0, start - startOf(part)) + read + text.slice(end - startOf(part));
  }
  const parameters = [...new Set(reads.map((read) => `uint256 ${read.name}`))].join(", ");
  const code = variable === undefined ? text : `{ return ${text}; }`;
  return `    function ${name}(${parameters}) internal pure returns (uint256) ${code}`;
}

function found(tree: Node, isIt: (node: Node) => boolean, what: string): Node {
  const all: Node[] = [];
  walk(tree, (node) => {
    if (isIt(node)) all.push(node);
  });
  if (all.length !== 1) throw new Error(`${what} is there ${all.length} times`);
  return all[0] as Node;
}

function madeOf(body: Node, variable: string): Node {
  const declares = (node: Node) =>
    node.nodeType === "VariableDeclarationStatement" &&
    (node.declarations as readonly (Node | null)[]).some((each) => each?.name === variable) &&
    !(isNode(node.initialValue) && node.initialValue.nodeType === "Identifier");
  const changes = (node: Node) =>
    node.nodeType === "Assignment" && node.operator !== "=" && (node.leftHandSide as Node).name === variable;
  const made: Node[] = [];
  walk(body, (node) => {
    if (changes(node)) made.push(node.rightHandSide as Node);
    else if (declares(node) && isNode(node.initialValue)) made.push(node.initialValue);
  });
  if (made.length !== 1) throw new Error(`${variable} is made ${made.length} times`);
  return made[0] as Node;
}

/** Names read from elsewhere, from left to right. */
function readsOf(part: Node): readonly Read[] {
  const own = new Set<string>();
  walk(part, (node) => {
    if (node.nodeType === "VariableDeclaration") own.add(node.name as string);
  });
  const names = new Map<string, string>();
  const reads: Read[] = [];
  const see = (node: Node): void => {
    const isName = node.nodeType === "Identifier" && !isConstant(node.name as string) && !own.has(node.name as string);
    if (!isName && !READS.has(node.nodeType)) {
      for (const child of childrenOf(node)) see(child);
      return;
    }
    const key = keyOf(node);
    const name = names.get(key) ?? `read${names.size}`;
    names.set(key, name);
    reads.push({ start: startOf(node), end: endOf(node), name });
  };
  see(part);
  return reads;
}

/** Name for expressions that are written alike. */
function keyOf(node: Node): string {
  return `${node.nodeType} ${(node.name ?? node.memberName ?? "") as string}(${childrenOf(node).map(keyOf).join(",")})`;
}
