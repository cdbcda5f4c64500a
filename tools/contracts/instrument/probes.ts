/**
 * Probes for coverage: sources of contracts/src that say which statement is run and which way each condition goes. A
 * probe asks forge to write an empty file, which no revert takes back. It leaves the last answer of a call as it was.
 */
import {
  bodiesOf,
  childrenOf,
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

/** A thing that has to be seen: a statement, or one way of a condition. */
export interface Point {
  readonly path: string;
  readonly line: number;
  readonly kind: "statement" | "branch";
  /** The condition and its way; the start of a statement. */
  readonly what: string;
  /** The name of its file. */
  readonly file: string;
}

export interface Probed {
  readonly points: readonly Point[];
  readonly texts: ReadonlyMap<string, string>;
}

/** Folder that forge writes hits to, seen from contracts/. Names have the length that PROBE_FILE has written down. */
export const HITS = "hits";
const PROBE = "Probe.sol";
const PROBE_FILE = `contracts/src/${PROBE}`;
const fileOf = (number: number) => `${HITS}/${String(number).padStart(5, "0")}`;

/** `vm.writeFile(name, "")`, by the cheat code's address, then the last answer again by the identity contract. */
const RECORD = (name: string) => `let probeSize := returndatasize()
    let probeAnswer := add(mload(0x40), 256)
    returndatacopy(probeAnswer, 0, probeSize)
    let probeCall := add(probeAnswer, probeSize)
    mstore(probeCall, shl(224, 0x897e0a97))
    mstore(add(probeCall, 4), 64)
    mstore(add(probeCall, 36), 128)
    mstore(add(probeCall, 68), 10)
    mstore(add(probeCall, 100), ${name})
    mstore(add(probeCall, 132), 0)
    pop(staticcall(gas(), 0x7109709ECfa91a80626fF3989D68f67F5b1DD12D, probeCall, 164, 0, 0))
    pop(staticcall(gas(), 4, probeAnswer, probeSize, 0, 0))`;

const PROBE_SOURCE = `// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

function _record(bytes32 name) view {
    assembly ("memory-safe") {
    ${RECORD("name")}
    }
}

function hitPoint(bytes32 name) pure {
    function(bytes32) view looks = _record;
    function(bytes32) pure isPure;
    assembly ("memory-safe") {
        isPure := looks
    }
    isPure(name);
}

function hitWay(bytes32 ifTrue, bytes32 ifFalse, bool condition) pure returns (bool) {
    hitPoint(condition ? ifTrue : ifFalse);
    return condition;
}
`;

/** The sources with probes, and what they look for. */
export function probe(sources: readonly Source[]): Probed {
  const points: Point[] = [];
  const texts = new Map([[PROBE_FILE, PROBE_SOURCE]]);
  for (const source of sources) {
    const wraps: Wrap[] = [];
    const name = (node: Node, kind: Point["kind"], way = "") => {
      const what = `${textOf(node, source.text).split("\n")[0]}${way}`;
      const file = fileOf(points.length);
      points.push({ path: source.path, line: lineOf(node, source.text), kind, what, file });
      return file;
    };
    const twoWays = (node: Node) => [name(node, "branch", ": true"), name(node, "branch", ": false")] as const;
    for (const body of bodiesOf(source.tree)) {
      walk(body, (node, parent) => {
        if (isStatement(node) && !isLoopHead(node, parent)) {
          const call = `hitPoint("${name(node, "statement")}"); `;
          wraps.push({ start: startOf(node), end: statementEnd(node, source.text), ...inPlace(call, parent) });
        }
        for (const condition of conditionsOf(node)) {
          const [ifTrue, ifFalse] = twoWays(condition);
          const before = `hitWay("${ifTrue}", "${ifFalse}", `;
          wraps.push({ start: startOf(condition), end: endOf(condition), before, behind: ")" });
        }
        if (node.nodeType === "YulIf") {
          const [ifTrue, ifFalse] = twoWays(node.condition as Node);
          const condition = textOf(node.condition as Node, source.text);
          const [start, end] = [startOf(node), endOf(node)];
          wraps.push({ start, end, before: `if iszero(${condition}) { ${RECORD(`"${ifFalse}"`)} }\n`, behind: "" });
          const inside = startOf(node.body as Node) + 1;
          wraps.push({ start: inside, end: inside, before: `${RECORD(`"${ifTrue}"`)}\n`, behind: "" });
        }
      });
    }
    const text = wrapped(source.text, wraps);
    if (wraps.length > 0) texts.set(source.path, withImport(source.path, text, PROBE, ["hitPoint", "hitWay"]));
  }
  return { points, texts };
}

/** A statement that is no block's gets one of its own. */
function inPlace(call: string, parent: Node | undefined): Pick<Wrap, "before" | "behind"> {
  const isInBlock = parent?.nodeType === "Block" || parent?.nodeType === "UncheckedBlock";
  return isInBlock ? { before: call, behind: "" } : { before: `{ ${call}`, behind: " }" };
}

export function isLoopHead(node: Node, parent: Node | undefined): boolean {
  return parent?.nodeType === "ForStatement" && node !== parent.body;
}

/** Conditions that decide a node's branch, and the sides of `&&` and `||`. */
export function conditionsOf(node: Node): readonly Node[] {
  if (node.nodeType === "BinaryOperation" && (node.operator === "&&" || node.operator === "||")) {
    return [node.leftExpression as Node, node.rightExpression as Node].filter((side) => !isLogic(side));
  }
  const condition = node.nodeType.startsWith("Yul") ? undefined : node.condition;
  return isNode(condition) && !isLogic(condition) ? [condition] : [];
}

function isLogic(node: Node): boolean {
  if (node.nodeType === "TupleExpression") return childrenOf(node).some(isLogic);
  return node.nodeType === "BinaryOperation" && (node.operator === "&&" || node.operator === "||");
}
