import { parseSync } from "vite";
import { PRIVATE_WORDS, type Stumble } from "./prose.ts";

/** Openings that stand for a noun: a hover that begins so does not name the thing. */
const OPENINGS = /^(The same|What|Whatever|Where|Of|Who|Whoever|Whose|Whom|How|Which|That)\b/;

/** Complaints about the comments of one TypeScript file: openings with such a clause, and in src our former words. */
export function readComments(page: string, source: string): readonly Stumble[] {
  const { comments } = parseSync(page, source);
  return comments.flatMap(({ type, value, start }, index) => {
    const before = comments[index - 1];
    const goesOn =
      before?.type === "Line" && type === "Line" && /^[^\S\n]*\n[^\S\n]*$/.test(source.slice(before.end, start));
    const text = value.replace(/^[*\s]+/, "").split("\n", 1)[0]!;
    const opensWrong = !goesOn && OPENINGS.test(text);
    const words = page.startsWith("src/") ? PRIVATE_WORDS.filter(([word]) => word.test(value)) : [];
    return [
      ...(opensWrong ? ["begin with the subject, as a noun or a verb"] : []),
      ...words.map(([, field]) => `the field says: ${field}`),
    ].map((complaint) => ({ page, text, complaint }));
  });
}
