/** Elements of a list, trimmed: over each protocol an element may hold several, separated by commas. */
export function elementsOf(given: readonly string[]): readonly string[] {
  return given.flatMap((element) => element.split(",")).map((text) => text.trim());
}
