import { lexer, type Token, type Tokens } from "marked";

/** Something in a page that a reader stumbles over. */
export interface Stumble {
  readonly page: string;
  /** The sentence or link. */
  readonly text: string;
  readonly complaint: string;
}

/** Words in a sentence, at most. A colon or semicolon ends one. */
const MAX_WORDS = 25;

/** Openings that delay the subject. A question may begin with any. */
const OPENINGS = /^(Of|Where|What|The same)\b/;

/** Our former words for what the field has a name for. */
export const PRIVATE_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bstand(s)? off each other\b/i, "there is arbitrage between pools"],
  [/\bof no use\b/i, "unusable"],
  [/\bdearer\b|\bdear\b/i, "costly"],
  [/\bat rest\b/i, "spot price, idle"],
  [/\bgood for\b/i, "say how much, or for whom"],
  [/\bchambers?\b/i, "folder"],
  [/\b(behind|at|through) the door\b/i, "API, server"],
  [/\btouch(es)? of (a |the )?pools?\b/i, "pool use"],
];

/** Between these marks `tools/docs.ts` and the benchmarks write. */
const GENERATED =
  /<!-- table: [a-z-]+ -->[\s\S]*?<!-- \/table -->|<!-- bench\/([a-z]+) -->[\s\S]*?<!-- end of bench\/\1 -->/g;

/** Complaints about the sentences of one page. Tables that are generated, code and HTML are left out. */
export function readProse(page: string, markdown: string): readonly Stumble[] {
  return sentencesOf(markdown).flatMap((text) => {
    const words = text.match(/[\p{L}\p{N}'’%-]+/gu)?.length ?? 0;
    const isQuestion = text.endsWith("?");
    return [
      ...(words > MAX_WORDS ? [`${words} words, ${MAX_WORDS} at most: make two sentences of it`] : []),
      ...(OPENINGS.test(text) && !isQuestion ? ["begin with the subject"] : []),
      ...PRIVATE_WORDS.flatMap(([word, field]) => (word.test(text) ? [`the field says: ${field}`] : [])),
    ].map((complaint) => ({ page, text, complaint }));
  });
}

/** Anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const token of lexer(markdown)) {
    if (token.type !== "heading") continue;
    const slug = slugOf(plainText((token as Tokens.Heading).tokens, (code) => code));
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Anchor of a heading's text, as GitHub makes it. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** Targets of a page's links and images, as they are written. */
export function linksOf(markdown: string): readonly string[] {
  const links: string[] = [];
  const walk = (tokens: readonly Token[]) => {
    for (const token of tokens) {
      if (token.type === "link" || token.type === "image") links.push((token as Tokens.Link).href);
      for (const inner of childrenOf(token)) walk(inner);
    }
  };
  walk(lexer(markdown));
  return links;
}

function sentencesOf(markdown: string): readonly string[] {
  const written = markdown.replace(GENERATED, "");
  const blocks: string[] = [];
  const walk = (tokens: readonly Token[]) => {
    for (const token of tokens) {
      if (token.type === "paragraph" || token.type === "text") blocks.push(plainText([token]));
      else if (token.type === "table") {
        const { header, rows } = token as Tokens.Table;
        blocks.push(...[header, ...rows].flat().map((cell) => plainText(cell.tokens)));
      } else if (token.type !== "heading") for (const inner of childrenOf(token)) walk(inner);
    }
  };
  walk(lexer(written));
  return blocks
    .flatMap((block) => block.replaceAll(/\s+/g, " ").split(/(?<=[.!?:;]["”)]?) /))
    .map((text) => text.trim());
}

function childrenOf(token: Token): readonly (readonly Token[])[] {
  if (token.type === "list") return (token as Tokens.List).items.map(({ tokens }) => tokens);
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].flat().map(({ tokens }) => tokens);
  }
  return "tokens" in token && token.tokens !== undefined ? [token.tokens] : [];
}

/** The text that a reader sees, with `ofCode` for code in a line: one word unless told otherwise. */
function plainText(tokens: readonly Token[], ofCode: (code: string) => string = () => "code"): string {
  return tokens
    .map((token) => {
      if (token.type === "codespan") return ofCode((token as Tokens.Codespan).text);
      if (token.type === "html" || token.type === "image") return "";
      if (token.type === "br") return " ";
      const inner = childrenOf(token);
      if (inner.length > 0) return inner.map((each) => plainText(each, ofCode)).join(" ");
      return "text" in token ? String(token.text) : "";
    })
    .join("");
}
