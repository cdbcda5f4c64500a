import { functionsIn, parseFile, type SyntaxNode } from "../source-tree.ts";

/** The function of the global object that an instrumented function calls with its number as it is entered. */
export const ENTERED = "__tributaryEntered";

/** A function of a source file, by the layer that it stands in. */
export interface Place {
  readonly layer: string;
  /** File and function. */
  readonly name: string;
}

/** Layers whose folders do the same job for different pools and venues: an amount passes one or the other. */
const OF_MODULES = ["pools", "venues"];

/** The layer of a path in src, with its folder where it has one. */
export function layerOf(path: string): string {
  const [layer = "src", folder] = path.split("/").slice(1, -1);
  return folder === undefined || OF_MODULES.includes(layer) ? layer : `${layer}/${folder}`;
}

/** The source with a call at the beginning of every function, which stays on its line. `numberOf`: names a function. */
export function instrumented(path: string, text: string, numberOf: (place: Place) => number): string {
  const insertions: { readonly at: number; readonly text: string }[] = [];
  for (const { node, name } of functionsIn(parseFile(path, text).program())) {
    const call = `${ENTERED}(${numberOf({ layer: layerOf(path), name: `${path}: ${name}` })})`;
    const body = node.body as SyntaxNode;
    if (body.type === "BlockStatement" || body.type === "FunctionBody")
      insertions.push({ at: body.start + 1, text: `${call};` });
    else insertions.push({ at: body.start, text: `(${call},` }, { at: body.end, text: ")" });
  }
  return insertions
    .toSorted((a, b) => b.at - a.at)
    .reduce((whole, { at, text: part }) => whole.slice(0, at) + part + whole.slice(at), text);
}
