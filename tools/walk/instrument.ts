import { functionsIn, parseFile, type SyntaxNode } from "../source-tree.ts";

/** The function of the global object that an instrumented function calls with its number as it is entered. */
export const ENTERED = "__tributaryEntered";

/** A function of a source file, by the room that it stands in. */
export interface Place {
  readonly room: string;
  /** File and function. */
  readonly name: string;
}

/** Rooms whose folders do the same job for different pools and venues: an amount passes one or the other. */
const OF_MODULES = ["pools", "venues"];

/** The room of a path in src, with its chamber where it has one. */
export function roomOf(path: string): string {
  const [room = "src", chamber] = path.split("/").slice(1, -1);
  return chamber === undefined || OF_MODULES.includes(room) ? room : `${room}/${chamber}`;
}

/** The source with a call at the beginning of every function, which stays on its line. `numberOf`: names a function. */
export function instrumented(path: string, text: string, numberOf: (place: Place) => number): string {
  const insertions: { readonly at: number; readonly text: string }[] = [];
  for (const { node, name } of functionsIn(parseFile(path, text).program())) {
    const call = `${ENTERED}(${numberOf({ room: roomOf(path), name: `${path}: ${name}` })})`;
    const body = node.body as SyntaxNode;
    if (body.type === "BlockStatement" || body.type === "FunctionBody")
      insertions.push({ at: body.start + 1, text: `${call};` });
    else insertions.push({ at: body.start, text: `(${call},` }, { at: body.end, text: ")" });
  }
  return insertions
    .toSorted((a, b) => b.at - a.at)
    .reduce((whole, { at, text: part }) => whole.slice(0, at) + part + whole.slice(at), text);
}
