import {
  childrenOf,
  isFunction,
  isNode,
  nameOf,
  type SourceFile,
  type SyntaxNode,
  walk,
} from "../../../tools/source-tree.ts";

/** An interface with a method, and the files that implement it. */
export interface Seam {
  readonly name: string;
  /** The file that declares it. */
  readonly file: string;
  /** Files with an implementation, in their order. */
  readonly implementations: readonly string[];
}

interface Declared {
  readonly key: string;
  readonly name: string;
  readonly file: string;
  readonly required: readonly string[];
  readonly behaves: boolean;
  readonly bases: readonly string[];
}

/** Local name of each interface in a file, by its declaration: `file#name`. */
type Names = ReadonlyMap<string, string>;

/**
 * Every interface with a method that these files implement, with who does: functions that are declared to return one and
 * return an object of their own, constants and classes that are declared as one, and objects in a property that is declared
 * as one. An object that passes calls on to another is none: it is held to what the other one is held to.
 */
export function seamsOf(files: readonly SourceFile[]): readonly Seam[] {
  const namesOf = new Map(files.map((file) => [file, interfaceNames(file)] as const));
  const declared = new Map<string, Declared>();
  const byProperty = new Map<string, Set<string>>();
  for (const [file, names] of namesOf)
    walk(file.program(), (node) => {
      if (node.type === "TSInterfaceDeclaration") {
        const found = declarationOf(node, file, names);
        declared.set(found.key, found);
      }
      if (node.type === "TSPropertySignature") {
        const name = nameOf(node) ?? "";
        byProperty.set(name, (byProperty.get(name) ?? new Set()).union(new Set(typesIn(node.typeAnnotation, names))));
      }
      return true;
    });

  const implementations = new Map<string, Set<string>>();
  const note = (key: string, file: SourceFile): void => {
    const found = declared.get(key);
    if (found === undefined) return;
    if (found.behaves) implementations.set(key, (implementations.get(key) ?? new Set()).add(file.path));
    for (const base of found.bases) note(base, file);
  };
  for (const [file, names] of namesOf)
    walk(file.program(), (node) => {
      for (const key of implementedBy(node, names)) note(key, file);
      const members = node.type === "Property" ? ownMembers(node.value) : undefined;
      if (members === undefined) return true;
      const candidates = [...(byProperty.get(nameOf(node) ?? "") ?? [])].flatMap((key) => declared.get(key) ?? []);
      for (const key of largestWithin(candidates, members.map(nameOf))) note(key, file);
      return true;
    });
  return [...implementations]
    .map(([key, paths]) => {
      const { name, file } = declared.get(key)!;
      return { name, file, implementations: [...paths].sort() };
    })
    .sort((a, b) => (`${a.file}#${a.name}` < `${b.file}#${b.name}` ? -1 : 1));
}

function interfaceNames(file: SourceFile): Names {
  const names = new Map<string, string>();
  for (const statement of file.program().body as readonly SyntaxNode[]) {
    if (statement.type === "ImportDeclaration") {
      const target = file.imports.find(({ specifier }) => specifier === (statement.source as SyntaxNode).value)?.target;
      for (const each of statement.specifiers as readonly SyntaxNode[])
        if (target !== undefined) names.set(nameOf(each.local)!, `${target}#${nameOf(each.imported)}`);
    }
    const declared = isNode(statement.declaration) ? statement.declaration : statement;
    if (declared.type === "TSInterfaceDeclaration") names.set(nameOf(declared)!, `${file.path}#${nameOf(declared)}`);
  }
  return names;
}

function declarationOf(node: SyntaxNode, { path }: SourceFile, names: Names): Declared {
  const members = childrenOf(node.body as SyntaxNode);
  const name = nameOf(node)!;
  return {
    ...{ key: `${path}#${name}`, name, file: path },
    required: members.filter(({ optional }) => optional !== true).flatMap((member) => nameOf(member) ?? []),
    behaves: members.some(isMethod),
    bases: (node.extends as readonly SyntaxNode[]).flatMap((base) => names.get(nameOf(base.expression) ?? "") ?? []),
  };
}

function isMethod(member: SyntaxNode): boolean {
  if (member.type === "TSMethodSignature") return member.kind === "method";
  const annotation = isNode(member.typeAnnotation) ? member.typeAnnotation.typeAnnotation : undefined;
  return member.type === "TSPropertySignature" && isNode(annotation) && annotation.type === "TSFunctionType";
}

/** The interfaces that a type is, may be, or is a promise of. */
function typesIn(type: unknown, names: Names): readonly string[] {
  if (!isNode(type)) return [];
  if (type.type === "TSTypeAnnotation") return typesIn(type.typeAnnotation, names);
  if (type.type === "TSIntersectionType" || type.type === "TSUnionType")
    return (type.types as readonly SyntaxNode[]).flatMap((each) => typesIn(each, names));
  if (type.type !== "TSTypeReference") return [];
  const name = nameOf(type.typeName) ?? "";
  if (name === "Promise") return childrenOf(type.typeArguments as SyntaxNode).flatMap((each) => typesIn(each, names));
  return names.has(name) ? [names.get(name)!] : [];
}

/** The interfaces that a declaration says to implement. */
function implementedBy(node: SyntaxNode, names: Names): readonly string[] {
  if (node.type === "ClassDeclaration")
    return (node.implements as readonly SyntaxNode[]).flatMap((each) => names.get(nameOf(each.expression) ?? "") ?? []);
  if (node.type === "VariableDeclarator" && ownMembers(node.init) !== undefined)
    return typesIn((node.id as SyntaxNode).typeAnnotation, names);
  return isFunction(node) && returnsOwnObject(node) ? typesIn(node.returnType, names) : [];
}

function returnsOwnObject(made: SyntaxNode): boolean {
  const body = made.body as SyntaxNode;
  if (body.type !== "BlockStatement") return ownMembers(body) !== undefined;
  let found = false;
  walk(body, (node) => {
    if (isFunction(node)) return false;
    if (node.type === "ReturnStatement" && ownMembers(node.argument) !== undefined) found = true;
    return true;
  });
  return found;
}

/** The members of an object that is written out and does more than to pass calls on to another; undefined for all else. */
function ownMembers(value: unknown): readonly SyntaxNode[] | undefined {
  if (!isNode(value)) return undefined;
  if (["ParenthesizedExpression", "TSAsExpression", "TSSatisfiesExpression"].includes(value.type))
    return ownMembers(value.expression);
  if (value.type !== "ObjectExpression") return undefined;
  const members = value.properties as readonly SyntaxNode[];
  const spreads = members.some((member) => member.type === "SpreadElement" && isName(member.argument as SyntaxNode));
  const isOwn = !spreads && !(members.length > 0 && members.every(passesOn));
  return isOwn ? members : undefined;
}

function isName({ type }: SyntaxNode): boolean {
  return type === "Identifier" || type === "MemberExpression";
}

/** Whether a member does no more than to call the one of its name of something else. */
function passesOn(member: SyntaxNode): boolean {
  const name = nameOf(member);
  if (!isNode(member.value) || !isFunction(member.value)) return false;
  let found = false;
  walk(member.value, (node) => {
    const callee = node.type === "CallExpression" ? (node.callee as SyntaxNode) : undefined;
    if (callee?.type === "MemberExpression" && nameOf(callee.property) === name) found = true;
    return !found;
  });
  return found;
}

/** Those of the interfaces that an object with these members can be; where several differ, what needs most of them. */
function largestWithin(candidates: readonly Declared[], members: readonly (string | undefined)[]): readonly string[] {
  const fitting = candidates.filter(({ required }) => required.every((name) => members.includes(name)));
  const most = Math.max(...fitting.map(({ required }) => required.length));
  return fitting.filter(({ required }) => required.length === most).map(({ key }) => key);
}
