/** Separators between digits that cannot be read as decimals: spaces of all kinds, ' and _. */
const SPACING = /[\s'\u2019_]/g;

/**
 * An amount as people type or paste it, as a plain decimal: ".5" is 0.5, "5." is 5, "1,000.5" and "1.000,5" are 1000.5.
 * Undefined for what can be read in two ways: "1,000" is a thousand to one and one to another. What is no number stays
 * what it is.
 */
export function typedAmount(text: string): string | undefined {
  const dense = text.replace(SPACING, "");
  const marks = dense.match(/[.,]/g) ?? [];
  const last = marks.at(-1);
  if (last === undefined) return dense;
  if (/^[1-9]\d{0,2},\d{3}$/.test(dense)) return undefined;
  const isGrouping = marks.length > 1 && marks.every((mark) => mark === last);
  const at = isGrouping ? dense.length : dense.lastIndexOf(last);
  const [whole, decimals] = [dense.slice(0, at), dense.slice(at + 1)];
  const ungrouped = /[.,]/.test(whole) ? withoutGroups(whole) : whole;
  if (ungrouped === undefined || `${ungrouped}${decimals}` === "") return dense;
  const start = ungrouped === "" ? "0" : ungrouped;
  return decimals === "" ? start : `${start}.${decimals}`;
}

/** Digits of groups that one mark parts, the last of three digits; undefined when they are none. */
function withoutGroups(text: string): string | undefined {
  const isGrouped = /^\d{1,3}(,\d{2,3})*,\d{3}$/.test(text) || /^\d{1,3}(\.\d{2,3})*\.\d{3}$/.test(text);
  return isGrouped ? text.replace(/[.,]/g, "") : undefined;
}
