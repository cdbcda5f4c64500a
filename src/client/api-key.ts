/** Values that a header can carry unchanged: printable ASCII. */
const KEY = /^[\x20-\x7e]*$/;

/** A key as its header carries it. @throws RangeError for one that no header can carry: it never repeats the key */
export function keyInHeader(apiKey: string): string {
  const key = apiKey.trim();
  if (!KEY.test(key)) throw new RangeError("apiKey is no text that a header can carry");
  return key;
}
