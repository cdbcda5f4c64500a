/** Base units as a decimal number of whole tokens, without trailing zeros. */
export function toDecimal(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return rest === "" ? whole : `${whole}.${rest}`;
}

/** Base units of a decimal number of whole tokens; undefined when it is none, or finer than the token. */
export function toBaseUnits(text: string, decimals: number): bigint | undefined {
  const match = text.match(/^(\d+)(?:\.(\d+))?$/);
  const [, whole = "", rest = ""] = match ?? [];
  if (match === null || rest.length > decimals) return undefined;
  return BigInt(whole + rest.padEnd(decimals, "0"));
}
