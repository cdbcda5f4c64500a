import { parseSync } from "vite";
import type { Stumble } from "./prose.ts";

/** Openings that stand for a noun: a hover that begins so does not name the thing. */
const OPENINGS = /^(The same|What|Whatever|Where|Of|Who|Whoever|Whose|Whom|How|Which|That)\b/;

/** Complaints about the comments of one TypeScript file that open with such a clause. */
export function readComments(page: string, source: string): readonly Stumble[] {
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
