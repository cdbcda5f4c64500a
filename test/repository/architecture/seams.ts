import { basename } from "node:path";
import { isNode, nameOf, type SourceFile, type SyntaxNode } from "../../../tools/source-tree.ts";
import type { Seam } from "./implementations.ts";
import { layerOf } from "./import-rules.ts";

/** Whether several files implement an interface, one of them at least in another layer than its own. */
export function isShared({ file, implementations }: Seam): boolean {
  return implementations.length > 1 && implementations.some((path) => layerOf(path) !== layerOf(file));
}

/**
 * Names the implementations of interfaces that no suite holds to the same: a suite is a `.suite.ts` that imports the
 * interface, and it is run by tests that import it and the implementation's file, by way of fixtures, helpers of tests and
 * indexes at most. An interface without a suite is named alone.
 */
export function implementationsUnheld(seams: readonly Seam[], tree: readonly SourceFile[]): readonly string[] {
  const byPath = new Map(tree.map((file) => [file.path, file]));
  const suites = tree.filter(({ path }) => path.endsWith(".suite.ts"));
  return seams.filter(isShared).flatMap((seam) => {
    const own = suites.filter((suite) => importsName(suite, seam.file, seam.name)).map(({ path }) => path);
    if (own.length === 0) return [`${seam.file}: ${seam.name}`];
    const runners = tree.filter(({ imports }) => imports.some(({ target }) => own.includes(target ?? "")));
    const run = new Set(runners.flatMap((runner) => [...namedBy(runner, byPath)]));
    return seam.implementations.filter((path) => !run.has(path)).map((path) => `${seam.file}: ${seam.name} of ${path}`);
  });
}

function importsName(file: SourceFile, target: string, name: string): boolean {
  const specifier = file.imports.find((each) => each.target === target)?.specifier;
  return (file.program().body as readonly SyntaxNode[]).some(
    (statement) =>
      statement.type === "ImportDeclaration" &&
      isNode(statement.source) &&
      statement.source.value === specifier &&
      (statement.specifiers as readonly SyntaxNode[]).some(({ imported }) => nameOf(imported) === name),
  );
}

/** Files that a test imports, and those that what is not of the product, or an index of it, imports in turn. */
function namedBy(runner: SourceFile, byPath: ReadonlyMap<string, SourceFile>): ReadonlySet<string> {
  const seen = new Set<string>();
  const follow = (file: SourceFile): void => {
    for (const { target } of file.imports) {
      const next = byPath.get(target ?? "");
      if (next === undefined || seen.has(next.path)) continue;
      seen.add(next.path);
      if (!next.path.startsWith("src/") || basename(next.path) === "index.ts") follow(next);
    }
  };
  follow(runner);
  return seen;
}
