import { Decimal } from "../domain/decimal.ts";

/** Base units as a decimal number of whole tokens, without trailing zeros. */
export function toDecimal(units: bigint, decimals: number): string {
  return String(new Decimal(units, decimals));
}

/** Base units of a decimal number of whole tokens; undefined when it is none, or finer than the token. */
export function toBaseUnits(text: string, decimals: number): bigint | undefined {
  const match = text.match(/^(\d+)(?:\.(\d+))?$/);
  const [, whole = "", rest = ""] = match ?? [];
  if (match === null || rest.length > decimals) return undefined;
  return BigInt(whole + rest.padEnd(decimals, "0"));
}
