/**
 * Every fault of a few plain kinds that the functions of contracts/src can have: operators, operands, checks, statements,
 * conditions, numbers, constants and answers. All faults of a source are compiled into it at once, each asleep until an
 * account holds its number, so that a contract is compiled once for all of them.
 */

import { conditionsOf, isLoopHead } from "./probes.ts";
import {
  bodiesOf,
  check,
  endOf,
  isNode,
  isStatement,
  lineOf,
  type Node,
  type Source,
  startOf,
  statementEnd,
  textOf,
  type Wrap,
  walk,
  withImport,
  wrapped,
} from "./syntax-tree.ts";

export interface Fault {
  /** Number that the account holds while this fault is active. */
  readonly number: number;
  readonly path: string;
  readonly line: number;
  /** File, function, what stands there and what would: as long as the code around it stays, so does this. */
  readonly name: string;
}

export interface Faulty {
  readonly faults: readonly Fault[];
  readonly texts: ReadonlyMap<string, string>;
}

/** Holds the number of the fault that is awake (contracts/foundry/src/Settlement.sol). */
const ACCOUNT = "0x000000000000000000000000000000000000FA17";
const FAULTS = "Faults.sol";

const SOURCE = `// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

function isFault(uint256 fault) view returns (bool answer) {
    assembly ("memory-safe") {
        answer := eq(balance(${ACCOUNT}), fault)
    }
}

function oneIf(uint256 fault) view returns (uint256) {
    return isFault(fault) ? 1 : 0;
}
`;

/** Replacements of operators: comparisons off by one and turned round, sums, products, logic, shifts. */
const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  "<": ["<=", ">"],
  "<=": ["<", ">"],
  ">": [">=", "<"],
  ">=": [">", "<"],
  "==": ["!="],
  "!=": ["=="],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["/"],
  "&&": ["||"],
  "||": ["&&"],
  "&": ["|"],
  "|": ["&"],
  "<<": [">>"],
  ">>": ["<<"],
  "+=": ["=", "-="],
  "-=": ["=", "+="],
  "*=": ["="],
  "|=": ["=", "&="],
};

const typeOf = (node: Node): string => (node.typeDescriptions as { typeString?: string })?.typeString ?? "";

/** Replacements of an expression, as text. */
function alternativesOf(node: Node, parent: Node | undefined, source: string): readonly string[] {
  const text = (part: unknown) => textOf(part as Node, source);
  if (node.nodeType === "BinaryOperation" && !typeOf(node).startsWith("int_const")) {
    const [left, right, operator] = [text(node.leftExpression), text(node.rightExpression), node.operator as string];
    const turned = operator === "-" || operator === "/" || operator === "%" ? [`${right} ${operator} ${left}`] : [];
    return [...(INSTEAD[operator] ?? []).map((other) => `${left} ${other} ${right}`), ...turned];
  }
  if (node.nodeType === "UnaryOperation" && (node.operator === "-" || node.operator === "!")) {
    return [text(node.subExpression)];
  }
  if (node.nodeType === "Conditional") {
    return [text(node.trueExpression), text(node.falseExpression)];
  }
  if (node.nodeType === "FunctionCall" && (node.kind === "functionCall" || node.kind === "structConstructorCall")) {
    return swappedArguments(node, source);
  }
  if (node.nodeType === "Identifier" && parent?.nodeType !== "FunctionCall" && isConstant(text(node))) {
    if (typeOf(node) === "uint256") return [`${text(node)} + 1`];
    if (typeOf(node) === "bytes32") return [`bytes32(uint256(${text(node)}) ^ 1)`];
    if (typeOf(node) === "address") return [`address(uint160(${text(node)}) ^ 1)`];
  }
  return [];
}

const isConstant = (name: string) => /^[A-Z][A-Z0-9_]+$/.test(name);

/** A call with two arguments that stand side by side and have one type the other way round. */
function swappedArguments(node: Node, source: string): readonly string[] {
  const given = node.arguments as readonly Node[];
  return given.slice(1).flatMap((second, at) => {
    const first = given[at] as Node;
    const [a, b] = [textOf(first, source), textOf(second, source)];
    if (typeOf(first) !== typeOf(second) || a === b || typeOf(first).startsWith("int_const")) return [];
    const call = textOf(node, source);
    const [at1, at2] = [startOf(first) - startOf(node), startOf(second) - startOf(node)];
    return [`${call.slice(0, at1)}${b}${call.slice(at1 + a.length, at2)}${a}${call.slice(at2 + b.length)}`];
  });
}

/** Replacements of a statement; "" removes it. */
function statementAlternatives(node: Node, parent: Node | undefined, source: string): readonly string[] {
  if (node.nodeType === "EmitStatement" || node.nodeType === "RevertStatement") {
    const [word, call] = node.nodeType === "EmitStatement" ? ["emit", node.eventCall] : ["revert", node.errorCall];
    // A check without its refusal is one whose condition is never true.
    const dropped = parent !== undefined && isCheck(parent) ? [] : [""];
    return [...dropped, ...swappedArguments(call as Node, source).map((text) => `${word} ${text};`)];
  }
  if (node.nodeType === "Return" && isNode(node.expression)) {
    const answer = textOf(node.expression, source);
    if (typeOf(node.expression) === "bool") return [`return !(${answer});`];
    return typeOf(node.expression) === "uint256" ? [`return ${answer} + 1;`] : [];
  }
  if (node.nodeType !== "ExpressionStatement") return [];
  const expression = node.expression as Node;
  const others = [""];
  if (expression.nodeType === "Assignment") {
    const [left, right] = [expression.leftHandSide, expression.rightHandSide].map((side) =>
      textOf(side as Node, source),
    );
    for (const other of INSTEAD[expression.operator as string] ?? []) others.push(`${left} ${other} ${right};`);
  }
  if (expression.nodeType === "FunctionCall")
    others.push(...swappedArguments(expression, source).map((text) => `${text};`));
  return others;
}

/** Statements of one call or assignment, which has no value that anything could stand in for. */
const ALONE: ReadonlySet<string> = new Set(["ExpressionStatement", "EmitStatement", "RevertStatement"]);

const short = (text: string) => text.replace(/\s+/g, " ").trim();

/** The faults of sources, those left out whose numbers are refused. */
function put(sources: readonly Source[], refused: ReadonlySet<number>): Faulty {
  const faults: Fault[] = [];
  const texts = new Map([[`contracts/src/${FAULTS}`, SOURCE]]);
  const names = new Map<string, number>();
  let last = 0;
  for (const source of sources) {
    const wraps: Wrap[] = [];
    let place = "";
    /** The number of a further fault; undefined where the compiler refuses it. */
    const add = (node: Node, to: string) => {
      last += 1;
      if (refused.has(last)) return undefined;
      const file = source.path.slice("contracts/src/".length, -".sol".length);
      const plain = `${file} ${place}: ${short(textOf(node, source.text))} -> ${short(to) || "nothing"}`;
      const count = (names.get(plain) ?? 0) + 1;
      names.set(plain, count);
      const name = count === 1 ? plain : `${plain} (${count})`;
      faults.push({ number: last, path: source.path, line: lineOf(node, source.text), name });
      return last;
    };
    const choose = (node: Node, texts_: readonly string[]) => {
      const chosen = texts_.flatMap((text) => {
        const number = add(node, text);
        return number === undefined ? [] : [`isFault(${number}) ? (${text}) : `];
      });
      if (chosen.length === 0) return;
      wraps.push({ start: startOf(node), end: endOf(node), before: `(${chosen.join("")}(`, behind: "))" });
    };
    for (const [name, body] of functionsOf(source.tree)) {
      place = name;
      walk(body, (node, parent) => {
        if (node.nodeType.startsWith("Yul")) return putYul(node, parent, source, add, wraps);
        if (isStatement(node) && !isLoopHead(node, parent)) {
          const chosen = statementAlternatives(node, parent, source.text).flatMap((text) => {
            const number = add(node, text);
            return number === undefined ? [] : [`if (isFault(${number})) { ${text} } else `];
          });
          const [start, end] = [startOf(node), statementEnd(node, source.text)];
          if (chosen.length > 0) wraps.push({ start, end, before: `{ ${chosen.join("")}{ `, behind: " } }" });
        }
        const isOnlyStatement = parent !== undefined && ALONE.has(parent.nodeType);
        const isTarget = parent?.nodeType === "Assignment" && node === parent.leftHandSide;
        if (isOnlyStatement || isTarget) return undefined;
        const isCondition = parent !== undefined && !parent.nodeType.startsWith("Yul") && parent.condition === node;
        const constant = isCondition ? (isCheck(parent) ? ["false"] : ["true", "false"]) : [];
        const side =
          parent !== undefined && conditionsOf(parent).includes(node) && !isCondition ? ["true", "false"] : [];
        if (node.nodeType === "Literal" && node.kind === "number" && !isShort(parent)) {
          const number = add(node, `${textOf(node, source.text)} + 1`);
          if (number !== undefined) {
            const before = `(oneIf(${number}) + `;
            wraps.push({ start: startOf(node), end: endOf(node), before, behind: ")" });
          }
          return undefined;
        }
        return choose(node, [...constant, ...side, ...alternativesOf(node, parent, source.text)]);
      });
    }
    // The active fault is read from the chain.
    const text = wrapped(source.text, wraps).replace(/\bpure\b/g, "view");
    if (wraps.length > 0) texts.set(source.path, withImport(source.path, text, FAULTS, ["isFault", "oneIf"]));
  }
  return { faults, texts };
}

/** `if (...) revert`: a check that always refuses shows nothing. */
function isCheck(node: Node): boolean {
  const body = node.trueBody;
  return node.nodeType === "IfStatement" && isNode(body) && body.nodeType === "RevertStatement";
}

/** Numbers within constant expressions stay: their type follows from the number. */
function isShort(parent: Node | undefined): boolean {
  return parent?.nodeType === "BinaryOperation" && typeOf(parent).startsWith("int_const");
}

/** In assembly: statements left out, numbers off by one. */
function putYul(
  node: Node,
  parent: Node | undefined,
  source: Source,
  add: (node: Node, to: string) => number | undefined,
  wraps: Wrap[],
): void {
  const awake = (number: number) => `eq(balance(${ACCOUNT}), ${number})`;
  const isDropped = node.nodeType === "YulExpressionStatement" || node.nodeType === "YulAssignment";
  if (isDropped) {
    const number = add(node, "");
    if (number === undefined) return;
    wraps.push({ start: startOf(node), end: endOf(node), before: `if iszero(${awake(number)}) { `, behind: " }" });
  }
  if (node.nodeType === "YulLiteral" && node.kind === "number" && parent?.nodeType === "YulFunctionCall") {
    const number = add(node, `${textOf(node, source.text)} + 1`);
    if (number === undefined) return;
    wraps.push({ start: startOf(node), end: endOf(node), before: "add(", behind: `, ${awake(number)})` });
  }
}

function functionsOf(tree: Node): readonly (readonly [name: string, body: Node])[] {
  const named = new Map<Node, string>();
  walk(tree, (node) => {
    if (isNode(node.body)) named.set(node.body, (node.name as string) || (node.kind as string));
  });
  return bodiesOf(tree).map((body) => [named.get(body) ?? "", body]);
}

/** The faults of these sources that compile: those that the compiler refuses are left out, one by one. */
export function makeFaults(sources: readonly Source[]): Faulty {
  const refused = new Set<number>();
  const originals = new Map(sources.map(({ path, text }) => [path, text]));
  for (;;) {
    const made = put(sources, refused);
    const { errors } = check(new Map([...originals, ...made.texts]));
    if (errors.length === 0) return made;
    for (const { sourceLocation, formattedMessage } of errors) {
      const text = made.texts.get(sourceLocation?.file ?? "");
      if (sourceLocation === undefined || text === undefined) throw new Error(formattedMessage);
      const number = faultAt(text, sourceLocation.start, sourceLocation.end);
      if (number === undefined || refused.has(number)) throw new Error(formattedMessage);
      refused.add(number);
    }
  }
}

/** The fault that an error is about: the first within its range, or the last before it, which has no fault within. */
function faultAt(text: string, start: number, end: number): number | undefined {
  const found = [...text.slice(0, end).matchAll(/(?:isFault|oneIf)\((\d+)\)/g)];
  const inside = found.find(({ index }) => index >= start);
  const number = (inside ?? found.at(-1))?.[1];
  return number === undefined ? undefined : Number(number);
}
