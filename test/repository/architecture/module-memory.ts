import { isFunction, isNode, nameOf, type SourceFile, type SyntaxNode, walk } from "../../../tools/source-tree.ts";

/** Classes whose objects nobody can change, or that hold nothing. */
const UNCHANGING = ["RegExp", "URL", "TextEncoder", "TextDecoder", "Error"];
/** Calls whose result holds nothing, whatever its name. */
const EMPTY_HANDED = ["createContextKey"];
/** Calls whose result is memory to write into, by the name of what is called. */
const MAKES_MEMORY =
  /^(create|make|new|empty|fresh|start|open)[A-Z]|^(alloc|allocUnsafe|create|fill|from|of|structuredClone)$/;
/** Annotations that let nobody write. */
const READ_ONLY = /^:\s*(readonly |Readonly)/;
const MUTATORS = [
  ...["push", "pop", "shift", "unshift", "splice", "sort", "reverse", "fill", "copyWithin"],
  ...["set", "add", "delete", "clear", "addAddress", "addSubnet", "addRange"],
];

/**
 * Names what a module keeps for longer than a call: variables, memory made at the top level, and values of the top level that
 * the module itself writes into. Memory without capacity (`new Float64Array(0)`) and read-only annotations are fine.
 */
export function moduleMemory(file: SourceFile): readonly string[] {
  const kept = new Set<string>();
  const constants = new Set<string>();
  for (const statement of (file.program().body as readonly SyntaxNode[]).map(declarationOf)) {
    if (statement.type === "ClassDeclaration") for (const name of staticMemory(statement, file)) kept.add(name);
    if (statement.type !== "VariableDeclaration") continue;
    for (const declarator of statement.declarations as readonly SyntaxNode[]) {
      const name = nameOf(declarator.id) ?? "a pattern";
      constants.add(name);
      const isReadOnly = READ_ONLY.test(annotationOf(declarator.id, file));
      if (statement.kind !== "const" || (!isReadOnly && isMemory(declarator.init))) kept.add(name);
    }
  }
  for (const name of written(file, constants)) kept.add(name);
  return [...kept].map((name) => `${file.path}: ${name}`);
}

function declarationOf(statement: SyntaxNode): SyntaxNode {
  return statement.type === "ExportNamedDeclaration" && isNode(statement.declaration)
    ? statement.declaration
    : statement;
}

function annotationOf(pattern: unknown, { text }: SourceFile): string {
  const annotation = isNode(pattern) ? pattern.typeAnnotation : undefined;
  return isNode(annotation) ? text.slice(annotation.start, annotation.end) : "";
}

function staticMemory(declared: SyntaxNode, file: SourceFile): readonly string[] {
  const members = (declared.body as SyntaxNode).body as readonly SyntaxNode[];
  return members
    .filter(({ type, static: isStatic, readonly }) => type === "PropertyDefinition" && isStatic === true && !readonly)
    .map((member) => `${nameOf(declared)}.${nameOf(member)}`)
    .concat(
      members
        .filter((member) => member.type === "PropertyDefinition" && member.static === true && member.readonly === true)
        .filter((member) => !READ_ONLY.test(annotationOf(member, file)) && isMemory(member.value))
        .map((member) => `${nameOf(declared)}.${nameOf(member)}`),
    );
}

/** Whether the value itself can be written into, or a value inside of it that is made here. */
function isMemory(value: unknown): boolean {
  if (!isNode(value)) return false;
  if (value.type === "TSAsExpression" || value.type === "TSSatisfiesExpression") {
    const type = value.typeAnnotation as SyntaxNode;
    return nameOf(type.typeName) !== "const" && isMemory(value.expression);
  }
  if (value.type === "ArrayExpression") return (value.elements as readonly unknown[]).length === 0;
  if (value.type === "ObjectExpression") {
    const properties = value.properties as readonly SyntaxNode[];
    return properties.length === 0 || properties.some(({ value: inside }) => isRoom(inside));
  }
  return isRoom(value);
}

/** Whether the value is made to be written into: a collection, an array with capacity, what a factory gives. */
function isRoom(value: unknown): boolean {
  if (!isNode(value)) return false;
  if (value.type === "ObjectExpression")
    return (value.properties as readonly SyntaxNode[]).some(({ value: inside }) => isRoom(inside));
  const [first, ...others] = (value.arguments ?? []) as readonly SyntaxNode[];
  const name = nameOf(value.callee) ?? "";
  if (value.type === "CallExpression") return MAKES_MEMORY.test(name) && !EMPTY_HANDED.includes(name);
  if (value.type !== "NewExpression") return false;
  const isEmptyArray = /Array$/.test(name) && others.length === 0 && (first === undefined || first.value === 0);
  return !UNCHANGING.includes(name) && !isEmptyArray;
}

/** Those of the names that the module writes into: a member assigned, counted up, deleted, or a method called that changes. */
function written(file: SourceFile, names: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  const note = (target: unknown, hidden: ReadonlySet<string>) => {
    let base = target;
    if (!isNode(base) || base.type !== "MemberExpression") return;
    while (isNode(base) && base.type === "MemberExpression") base = base.object;
    const name = isNode(base) && base.type === "Identifier" ? (base.name as string) : "";
    if (names.has(name) && !hidden.has(name)) found.add(name);
  };
  const read = (node: SyntaxNode, hidden: ReadonlySet<string>): void =>
    walk(node, (each) => {
      if (each !== node && isFunction(each)) {
        read(each, new Set([...hidden, ...declaredIn(each)]));
        return false;
      }
      if (each.type === "AssignmentExpression") note(each.left, hidden);
      if (each.type === "UpdateExpression") note(each.argument, hidden);
      if (each.type === "UnaryExpression" && each.operator === "delete") note(each.argument, hidden);
      if (each.type === "CallExpression" && MUTATORS.includes(nameOf(each.callee) ?? "")) note(each.callee, hidden);
      return true;
    });
  read(file.program(), new Set());
  return found;
}

/** Names that a function has of its own: its parameters and what is declared inside of it. */
function declaredIn(scope: SyntaxNode): readonly string[] {
  const names: string[] = [];
  const bind = (pattern: unknown): void => {
    if (isNode(pattern))
      walk(pattern, (node) => {
        if (node.type === "Identifier") names.push(node.name as string);
        return node.type !== "TSTypeAnnotation";
      });
  };
  for (const parameter of scope.params as readonly unknown[]) bind(parameter);
  walk(scope, (node) => {
    if (node !== scope && isFunction(node)) return false;
    if (node.type === "VariableDeclarator") bind(node.id);
    return true;
  });
  return names;
}
