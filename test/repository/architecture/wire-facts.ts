import { childrenOf, isNode, nameOf, type SourceFile, type SyntaxNode, walk } from "../../../tools/source-tree.ts";

const HTTP_STATUSES = [
  400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413, 414, 415, 417, 422, 425, 426, 428, 429,
];
const SERVER_STATUSES = [431, 499, 500, 501, 502, 503, 504, 505];
/** Codes of items of the contract's errors (proto/swap/v1). */
const ITEM_CODES = [1000, 1001, 1002, 1004, 1006, 1009];
const CODES: ReadonlySet<unknown> = new Set([...HTTP_STATUSES, ...SERVER_STATUSES, ...ITEM_CODES]);
const NAMES_A_CODE = /(code|status)$/i;
/** Functions that turn amounts into decimal text and back. */
const DECIMAL = /^(format|parse)(Units|Ether|Gwei|Scaled|Ratio|Decimal)$|^toFixed$|^toLocaleString$/;
const NAMES_A_SIZE = /bytes$|calldata/i;

/** Names what a file behind the door knows of the wire: codes of answers, amounts as decimal text, sizes of calldata. */
export function wireFacts(file: SourceFile): readonly string[] {
  const facts = new Set<string>();
  walk(file.program(), (node, parent) => {
    const fact = codeIn(node, parent) ?? decimalIn(node, parent) ?? sizeIn(node);
    if (fact !== undefined) facts.add(fact);
    return true;
  });
  return [...facts].map((fact) => `${file.path}: ${fact}`);
}

function codeIn(node: SyntaxNode, parent: SyntaxNode | undefined): string | undefined {
  if (node.type !== "Literal" || !CODES.has(node.value) || parent === undefined) return undefined;
  const beside = childrenOf(parent).filter((each) => each !== node);
  const isNamed = ["Property", "BinaryExpression", "VariableDeclarator", "PropertyDefinition", "SwitchCase"].includes(
    parent.type,
  )
    ? beside.some((each) => NAMES_A_CODE.test(nameOf(each) ?? ""))
    : parent.type === "TSLiteralType";
  return isNamed ? `code ${node.value}` : undefined;
}

function decimalIn(node: SyntaxNode, parent: SyntaxNode | undefined): string | undefined {
  if (node.type === "ImportSpecifier" || node.type === "FunctionDeclaration") {
    const name = nameOf(node.imported ?? node.id) ?? "";
    return DECIMAL.test(name) ? `decimal text by ${name}` : undefined;
  }
  if (node.type !== "CallExpression") return undefined;
  const name = nameOf(node.callee) ?? "";
  const [first] = node.arguments as readonly SyntaxNode[];
  if (name === "toFixed" || name === "toLocaleString") return `decimal text by ${name}`;
  if (name === "toString" && (first === undefined || first.value === 10)) return "decimal text by toString";
  // A text inside of a message is for a human, not for the wire.
  return name === "String" && parent?.type !== "TemplateLiteral" ? "decimal text by String" : undefined;
}

function sizeIn(node: SyntaxNode): string | undefined {
  const value = node.type === "VariableDeclarator" ? node.init : node.type === "Property" ? node.value : undefined;
  const name = nameOf(node) ?? "";
  return isNode(value) && NAMES_A_SIZE.test(name) && isOfNumbers(value) ? `size ${name}` : undefined;
}

/** Whether a value is written out in numbers alone. */
function isOfNumbers(value: SyntaxNode): boolean {
  if (value.type === "Literal") return typeof value.value === "number" || typeof value.value === "bigint";
  if (value.type === "TSAsExpression") return isOfNumbers(value.expression as SyntaxNode);
  if (value.type === "ObjectExpression")
    return (value.properties as readonly SyntaxNode[]).every((each) => isNode(each.value) && isOfNumbers(each.value));
  if (value.type === "BinaryExpression") return childrenOf(value).every(isOfNumbers);
  return false;
}
