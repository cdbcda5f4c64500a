/**
 * An amount as people type it, as a plain decimal: spaces group, and either mark may begin the decimals. What can be read
 * two ways ("1,000" is a thousand to one and one to another) is undefined.
 */
export function typedAmount(text: string): string | undefined {
  const dense = text.replace(/\s/g, "");
  const marks = dense.match(/[.,]/g) ?? [];
  if (marks.length > 1 || /^[1-9]\d{0,2},\d{3}$/.test(dense)) return undefined;
  return dense.replace(",", ".");
}
