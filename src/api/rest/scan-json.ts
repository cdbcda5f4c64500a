/** Levels that the JSON form of a message may be nested: whatever walks through it does so by recursion. */
const DEEPEST = 100;

/** Commas and colons that the JSON form of a message may have: what parsing costs grows with the values between them. */
const MOST_SEPARATORS = 2_000;

const STRING_END = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const [OPEN_BRACKET, CLOSE_BRACKET] = [0x5b, 0x5d];
const [OPEN_BRACE, CLOSE_BRACE] = [0x7b, 0x7d];

/**
 * Looks at a text that may be JSON in one pass, before it is parsed.
 * @returns the keys at its top level as they are written, or what makes it larger than any message is
 */
export function scanJson(text: string): { readonly keys: readonly string[] } | { readonly wrong: string } {
  const keys: string[] = [];
  let [depth, separators] = [0, 0];
  let [from, end] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case STRING_END:
        from = at;
        end = endOfString(text, at);
        at = end - 1;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (++depth > DEEPEST) return { wrong: `is nested deeper than ${DEEPEST} levels` };
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        break;
      case COLON:
        if (depth === 1) keys.push(text.slice(from, end));
        separators++;
        break;
      case COMMA:
        separators++;
        break;
    }
    if (separators > MOST_SEPARATORS) return { wrong: `has more than ${MOST_SEPARATORS} commas and colons` };
  }
  return { keys };
}

/** One after the closing mark of the string that begins at `at`; the end of the text where there is none. */
function endOfString(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === STRING_END) return next + 1;
    if (code === BACKSLASH) next++;
  }
  return text.length;
}
