import { parseSync } from "vite";
import type { Stumble } from "./prose.ts";

/** Openings that stand for a noun: a hover that begins so does not name the thing. */
const OPENINGS = /^(The same|What|Whatever|Where|Of|Who|Whoever|Whose|Whom|How|Which|That)\b/;

/** Folders whose comments are still to be rewritten. A folder leaves the list when it is done; none is added. */
export const FOLDERS_LEFT: readonly string[] = [
  "src/api",
  "src/domain",
  "src/pools",
  "src/quoting",
  "src/routing",
  "src/settlement",
  "src/venues",
];

/** A TypeScript file to read: its path from the root, and its text. */
interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** Comments that open with such a clause, outside the folders left, and folders left that have none any more. */
export function readComments(files: readonly SourceText[], left: readonly string[] = FOLDERS_LEFT): readonly Stumble[] {
  const all = files.flatMap(({ path, text }) => openingClauses(path, text));
  const isBelow = (folder: string) => (stumble: Stumble) => stumble.page.startsWith(`${folder}/`);
  return [
    ...all.filter((stumble) => !left.some((folder) => isBelow(folder)(stumble))),
    ...left.flatMap((folder): readonly Stumble[] =>
      all.some(isBelow(folder))
        ? []
        : [{ page: "tools/docs/comments.ts", text: folder, complaint: "done: take it off FOLDERS_LEFT" }],
    ),
  ];
}

function openingClauses(page: string, source: string): readonly Stumble[] {
  const { comments } = parseSync(page, source);
  return comments.flatMap(({ type, value, start }, index) => {
    const before = comments[index - 1];
    const goesOn =
      before?.type === "Line" && type === "Line" && /^[^\S\n]*\n[^\S\n]*$/.test(source.slice(before.end, start));
    const text = value.replace(/^[*\s]+/, "").split("\n", 1)[0]!;
    return goesOn || !OPENINGS.test(text)
      ? []
      : [{ page, text, complaint: "begin with the subject, as a noun or a verb" }];
  });
}
