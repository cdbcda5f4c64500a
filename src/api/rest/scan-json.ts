/** Levels that the JSON form of a message may be nested: whatever walks through it does so by recursion. */
const DEEPEST = 100;

/** Commas and colons that the JSON form of a message may have: what parsing costs grows with the values between them. */
const MAX_SEPARATORS = 2_000;

/**
 * Characters of a place that may be one in a message: no field's is nearly as long. Keys further inside are not told. Engines hash
 * long strings by their length alone, so that to look 1,000 such names up took seconds.
 */
const LONGEST_PLACE = 1_000;

const STRING_END = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const [OPEN_BRACKET, CLOSE_BRACKET] = [0x5b, 0x5d];
const [OPEN_BRACE, CLOSE_BRACE] = [0x7b, 0x7d];

/** A key of an object. */
export interface ScannedKey {
  /** The object's place in the text: "" for the whole, `requests[1].` for one inside. */
  readonly place: string;
  readonly key: string;
}

/** An object or array that is open. */
interface Opened {
  readonly place: string;
  readonly isArray: boolean;
  /** Key of its next member. */
  key: string;
  index: number;
}

/**
 * Looks at a text that may be JSON in one pass, before it is parsed.
 * @returns the keys of all its objects that may be in a message, or what makes it larger than any message is
 */
export function scanJson(text: string): { readonly keys: readonly ScannedKey[] } | { readonly wrong: string } {
  const keys: ScannedKey[] = [];
  const open: Opened[] = [];
  let separators = 0;
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
        open.push(opened(text.charCodeAt(at) === OPEN_BRACKET, open.at(-1)));
        if (open.length > DEEPEST) return { wrong: `is nested deeper than ${DEEPEST} levels` };
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        open.pop();
        break;
      case COLON: {
        const object = open.at(-1);
        separators++;
        if (object === undefined || object.isArray) break;
        object.key = unescaped(text.slice(from, end));
        if (object.place.length <= LONGEST_PLACE) keys.push({ place: object.place, key: object.key });
        break;
      }
      case COMMA: {
        const list = open.at(-1);
        if (list !== undefined) list.index++;
        separators++;
        break;
      }
    }
    if (separators > MAX_SEPARATORS) return { wrong: `has more than ${MAX_SEPARATORS} commas and colons` };
  }
  return { keys };
}

/** An object or array that begins inside another one, or is the whole. */
function opened(isArray: boolean, outer: Opened | undefined): Opened {
  const own = outer === undefined ? "" : outer.place + (outer.isArray ? `[${outer.index}]` : outer.key);
  return { place: isArray || own === "" ? own : `${own}.`, isArray, key: "", index: 0 };
}

/** The text of a string as it is written; one that is none stays as it is. */
function unescaped(written: string): string {
  if (!written.includes("\\")) return written.slice(1, -1);
  try {
    return JSON.parse(written) as string;
  } catch {
    return written;
  }
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
