import type { SwapRequest } from "../../quoting/answers.ts";
import { nearestNames } from "../rest/nearest-names.ts";
import { type Report, shown } from "./report.ts";

/** Unknown names that are explained one by one: the answer to a list of nonsense stays an answer. */
const MOST_EXPLAINED = 10;

/** Which sources may be used. Empty lists count as not given, as they did in the 0x Swap API v1. */
export function parseSources(
  given: { readonly excludedSources: readonly string[]; readonly includedSources: readonly string[] },
  known: readonly string[],
  report: Report,
): SwapRequest["sources"] {
  const excluded = names(given.excludedSources);
  const included = names(given.includedSources);
  if (excluded.length > 0 && included.length > 0) {
    for (const [field, other] of [
      ["excludedSources", "includedSources"],
      ["includedSources", "excludedSources"],
    ] as const) {
      report.add(field, 1001, "CONFLICT", `${field} cannot be combined with ${other}. Send one of them.`);
    }
  }
  const without = resolve("excludedSources", excluded, known, report);
  const only = resolve("includedSources", included, known, report);
  if (known.length > 0 && without.length === known.length) {
    report.add(
      "excludedSources",
      1006,
      "NO_SOURCE_LEFT",
      "excludedSources names every source. Leave at least one of them out.",
    );
  }
  if (only.length > 0) return { kind: "only", ids: only };
  return without.length > 0 ? { kind: "without", ids: without } : { kind: "all" };
}

function names(given: readonly string[]): string[] {
  return given
    .flatMap((element) => element.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** The sources' own spelling of what was given, each once. */
function resolve(field: string, given: readonly string[], known: readonly string[], report: Report): string[] {
  const byName = new Map(known.map((id) => [id.toLowerCase(), id]));
  const found = new Set<string>();
  const unknown: string[] = [];
  for (const name of new Set(given)) {
    const id = byName.get(name.toLowerCase());
    if (id !== undefined) found.add(id);
    else unknown.push(name);
  }
  for (const name of unknown.slice(0, MOST_EXPLAINED)) {
    report.add(field, 1006, "UNKNOWN_SOURCE", `${field}: ${unknownSource(name, known)}`);
  }
  const more = unknown.length - MOST_EXPLAINED;
  if (more > 0) report.add(field, 1006, "UNKNOWN_SOURCE", `${field}: ${more} more names are no sources either.`);
  return [...found];
}

function unknownSource(name: string, known: readonly string[]): string {
  const near = nearestNames(name, known, 3);
  const hint = near.length > 0 ? `Nearest: ${near.join(", ")}.` : `Known: ${known.slice(0, 20).join(", ")}.`;
  return `there is no source ${shown(name)}. ${hint}`;
}
