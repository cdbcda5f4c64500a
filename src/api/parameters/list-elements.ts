import type { Report } from "./report.ts";

/** Elements that a list may have. */
export const MAX_ELEMENTS = 256;

/**
 * Elements of a list, trimmed: over each protocol an element may hold several, separated by commas. A list that is too long is in the
 * report, and none of it is read.
 */
export function elementsOf(field: string, given: readonly string[], report: Report): readonly string[] {
  const elements: string[] = [];
  for (const some of given) {
    elements.push(...some.split(",", MAX_ELEMENTS + 1));
    if (elements.length <= MAX_ELEMENTS) continue;
    report.add(field, "OUT_OF_RANGE", `${field} has more than ${MAX_ELEMENTS} elements. Send ${MAX_ELEMENTS} at most.`);
    return [];
  }
  return elements.map((text) => text.trim());
}
