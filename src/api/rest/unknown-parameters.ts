import type { DescMessage } from "@bufbuild/protobuf";
import type { DecodeProblem } from "./decode-problem.ts";
import { createSuggestions } from "./nearest-names.ts";
import { shown } from "./shorten.ts";

/** Names that are told one by one: a caller chooses how many are wrong, and an answer is to stay an answer. */
const MAX_TOLD = 20;

/** Names of one request that its message has no field for. */
export interface UnknownParameters {
  /** The problem with one more name; undefined where it was told before, or is counted with others. */
  problemWith(key: string): DecodeProblem | undefined;
  /** The names that were not told one by one. */
  problemWithMore(): DecodeProblem | undefined;
}

export function createUnknownParameters(desc: DescMessage): UnknownParameters {
  const names = desc.fields.map((field) => field.jsonName);
  const suggestions = createSuggestions();
  const keys = new Set<string>();
  let isListShown = false;

  /** The name that was meant, or all that there are: these once. */
  function hintFor(key: string): string {
    const [near] = suggestions.nearest(key, names, 1);
    if (near !== undefined) return ` Did you mean ${near}?`;
    if (names.length === 0) return " There are none here.";
    if (isListShown) return "";
    isListShown = true;
    return ` Known: ${names.join(", ")}.`;
  }

  return {
    problemWith(key) {
      if (keys.has(key)) return undefined;
      keys.add(key);
      if (keys.size > MAX_TOLD) return undefined;
      const description = `there is no parameter ${shown(key)}.${hintFor(key)}`;
      return { kind: "unknown", field: key.slice(0, 64).toWellFormed(), description };
    },
    problemWithMore() {
      const more = keys.size - MAX_TOLD;
      if (more <= 0) return undefined;
      return {
        kind: "unknown",
        field: "",
        description: `${more} more names are unknown too. Leave them out.`,
      };
    },
  };
}
