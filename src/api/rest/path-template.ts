/** A path template of google.api.http, ready to match. */
export interface PathTemplate {
  /** The values of the variables by dotted field path, or undefined when the path does not fit. */
  match(path: string): ReadonlyMap<string, string> | undefined;
}

interface Variable {
  readonly fieldPath: string;
  /** First and one after the last of the segments that the variable takes; the last may be open. */
  readonly from: number;
  readonly to: number;
  readonly open: boolean;
}

/**
 * Compiles `/v1/{name=shelves/*}:verb` and its like: literals, `*` for one segment, `**` for the rest, variables.
 * @throws Error for templates that the grammar does not know
 */
export function compilePathTemplate(template: string): PathTemplate {
  const verbAt = template.lastIndexOf(":") > template.lastIndexOf("}") ? template.lastIndexOf(":") : -1;
  const verb = verbAt > template.lastIndexOf("/") ? template.slice(verbAt) : "";
  const { segments, variables } = parse(verb === "" ? template : template.slice(0, verbAt), template);
  const open = segments.at(-1) === "**";
  // A path may have thousands of segments: no more are cut off than tell that they are too many.
  const mostParts = open ? undefined : segments.length + 1;
  return {
    match(path) {
      if (!path.endsWith(verb) || !path.startsWith("/")) return undefined;
      const parts = path.slice(1, path.length - verb.length).split("/", mostParts);
      if (open ? parts.length < segments.length - 1 : parts.length !== segments.length) return undefined;
      const fits = segments.every((segment, i) => {
        if (segment === "**") return true;
        return segment === "*" ? parts[i] !== "" : decodeSegment(parts[i]!) === segment;
      });
      if (!fits) return undefined;
      const values = new Map<string, string>();
      for (const variable of variables) {
        const taken = parts.slice(variable.from, variable.open ? undefined : variable.to);
        const single = taken.length === 1 && !variable.open;
        const texts = taken.map((part) => (single ? decodeSegment(part) : decodeKeepingSlashes(part)));
        if (texts.includes(undefined)) return undefined;
        values.set(variable.fieldPath, texts.join("/"));
      }
      return values;
    },
  };
}

function parse(body: string, template: string): { segments: string[]; variables: Variable[] } {
  const segments: string[] = [];
  const variables: Variable[] = [];
  const token = /\/(?:\{([A-Za-z0-9_.]+)(?:=([^{}]+))?\}|(\*\*|\*|[^/{}*]+))/y;
  while (token.lastIndex < body.length) {
    const match = token.exec(body);
    if (match === null) throw new Error(`not a path template: ${template}`);
    const [, fieldPath, inner, plain] = match;
    const from = segments.length;
    segments.push(...(fieldPath === undefined ? [plain!] : (inner ?? "*").split("/")));
    if (fieldPath !== undefined) {
      variables.push({ fieldPath, from, to: segments.length, open: segments.at(-1) === "**" });
    }
  }
  const rest = segments.indexOf("**");
  if (segments.length === 0 || (rest >= 0 && rest !== segments.length - 1)) {
    throw new Error(`not a path template: ${template}`);
  }
  return { segments, variables };
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** In variables of several segments an encoded slash stays encoded, so that it is not taken for a border. */
function decodeKeepingSlashes(segment: string): string | undefined {
  return segment
    .split(/(%2f)/i)
    .map((part) => (part.toLowerCase() === "%2f" ? part : decodeSegment(part)))
    .reduce<string | undefined>((all, part) => (all === undefined || part === undefined ? undefined : all + part), "");
}
