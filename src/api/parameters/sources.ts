import type { SwapRequest } from "../../quoting/answer/types.ts";
import { createSuggestions, type Suggestions } from "../rest/nearest-names.ts";
import { elementsOf } from "./list-elements.ts";
import { type Report, shown } from "./report.ts";

/** Unknown names that are explained one by one: the answer to a list of nonsense stays an answer. */
const MAX_EXPLAINED = 10;

/**
 * Name among the 0x Swap API v1's sources for routes over intermediate tokens. It is no venue here: excluding it asks for
 * routes without tokens in between, and including it adds nothing to the venues that are included.
 */
const MULTI_HOP = "multihop";

/** Sources that may be used, and whether intermediate tokens may. */
export interface ParsedSources {
  readonly sources: SwapRequest["sources"];
  readonly isDirect: boolean;
}

/** Parses the sources that may be used. Empty lists count as not given, as they did in the 0x Swap API v1. */
export function parseSources(
  given: { readonly excludedSources: readonly string[]; readonly includedSources: readonly string[] },
  known: readonly string[],
  report: Report,
): ParsedSources {
  const excluded = names("excludedSources", given.excludedSources, report);
  const included = names("includedSources", given.includedSources, report);
  if (excluded.length > 0 && included.length > 0) {
    for (const [field, other] of [
      ["excludedSources", "includedSources"],
      ["includedSources", "excludedSources"],
    ] as const) {
      report.add(field, "CONFLICT", `${field} cannot be combined with ${other}. Send one of them.`);
    }
  }
  const suggestions = createSuggestions();
  const without = resolve("excludedSources", excluded, { known, suggestions }, report);
  const only = resolve("includedSources", included, { known, suggestions }, report);
  if (known.length > 0 && without.ids.length === known.length) {
    report.add(
      "excludedSources",
      "NO_SOURCE_LEFT",
      "excludedSources names every source. Leave at least one of them out.",
    );
  }
  if (only.multiHop && only.ids.length === 0) {
    report.add(
      "includedSources",
      "NO_SOURCE_LEFT",
      "includedSources names MultiHop alone, which is no source. Send the sources that routes may use.",
    );
  }
  const isDirect = without.multiHop;
  if (only.ids.length > 0) return { sources: { kind: "only", ids: only.ids }, isDirect };
  return { sources: without.ids.length > 0 ? { kind: "without", ids: without.ids } : { kind: "all" }, isDirect };
}

function names(field: string, given: readonly string[], report: Report): readonly string[] {
  return elementsOf(field, given, report).filter((name) => name !== "");
}

interface Spellings {
  /** The sources' own. */
  readonly known: readonly string[];
  readonly suggestions: Suggestions;
}

/** The sources' own spelling of what was given, each once. */
function resolve(
  field: string,
  given: readonly string[],
  { known, suggestions }: Spellings,
  report: Report,
): { readonly ids: readonly string[]; readonly multiHop: boolean } {
  const byName = new Map(known.map((id) => [id.toLowerCase(), id]));
  const found = new Set<string>();
  const unknown: string[] = [];
  let multiHop = false;
  for (const name of new Set(given)) {
    const id = byName.get(name.toLowerCase());
    if (id !== undefined) found.add(id);
    else if (name.toLowerCase() === MULTI_HOP) multiHop = true;
    else unknown.push(name);
  }
  for (const name of unknown.slice(0, MAX_EXPLAINED)) {
    report.add(field, "UNKNOWN_SOURCE", `${field}: ${unknownSource(name, known, suggestions)}`);
  }
  const more = unknown.length - MAX_EXPLAINED;
  if (more > 0)
    report.add(
      field,
      "UNKNOWN_SOURCE",
      `${field}: ${more} more names are unknown too. /swap/v1/sources lists the sources.`,
    );
  return { ids: [...found], multiHop };
}

function unknownSource(name: string, known: readonly string[], suggestions: Suggestions): string {
  const near = suggestions.nearest(name, known, 3);
  const hint = near.length > 0 ? `Nearest: ${near.join(", ")}.` : `Known: ${known.slice(0, 20).join(", ")}.`;
  return `there is no source ${shown(name)}. ${hint}`;
}
