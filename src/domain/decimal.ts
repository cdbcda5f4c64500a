import { divide, type Ratio } from "./ratio.ts";

/** The integer `scaled` divided by 10^decimals. As text it is a plain decimal without exponent and trailing zeros. */
export class Decimal {
  readonly scaled: bigint;
  readonly decimals: number;

  constructor(scaled: bigint, decimals: number) {
    this.scaled = scaled;
    this.decimals = decimals;
  }

  toString(): string {
    const { scaled, decimals } = this;
    const sign = scaled < 0n ? "-" : "";
    const digits = `${scaled < 0n ? -scaled : scaled}`.padStart(decimals + 1, "0");
    const whole = digits.slice(0, digits.length - decimals);
    const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
    return sign + (fraction === "" ? whole : `${whole}.${fraction}`);
  }
}

/** Decimals of a percentage. */
const PERCENT_DECIMALS = 4;

/** A fraction as a percentage with 4 decimals at most, rounded up. */
export function percentOf({ num, den }: Ratio): Decimal {
  return new Decimal(divide(num * 10n ** BigInt(PERCENT_DECIMALS + 2), den, "up"), PERCENT_DECIMALS);
}
