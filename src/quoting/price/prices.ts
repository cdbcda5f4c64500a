import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import type { Ratio } from "../../domain/ratio.ts";
import type { Token } from "../../domain/token.ts";
import type { Rates } from "../../market/rates.ts";
import type { Certificate } from "../../routing/router.ts";
import type { PriceAnswer } from "../answer/answers.ts";
import { divide, formatRatio, formatScaled } from "../answer/decimal.ts";

/** Whole sold tokens per whole bought token, rounded against the taker. */
export function formatPrice(sellToken: Token, sellAmount: bigint, buyToken: Token, buyAmount: bigint): string {
  const price = {
    num: sellAmount * 10n ** BigInt(buyToken.decimals),
    den: buyAmount * 10n ** BigInt(sellToken.decimals),
  };
  return formatRatio(price, "up");
}

/** Whole tokens per whole native token, "1" for native and wrapped native, "0" when unknown. Rounded down. */
export function formatNativeRate(token: Token, rates: Rates, wrappedNative: Address): string {
  if (token.address === NATIVE_TOKEN || token.address === wrappedNative) return "1";
  const rate = rates.perNative(token.address);
  if (rate === undefined) return "0";
  return formatRatio({ num: rate.num * 10n ** 18n, den: rate.den * 10n ** BigInt(token.decimals) }, "down");
}

/** Basis points from which on a bound says nothing useful of a route. */
const USELESS = 1_000n;

/**
 * The certificate as the API shows it: the gap in basis points of what was achieved, 4 decimals, rounded up. Without a gap
 * where gas has no value in the token, the route is worth less than its gas, or the bound says nothing useful.
 */
export function optimalityOf(certificate: Certificate, nativeRate: Ratio | undefined): PriceAnswer["optimality"] {
  const { bound, achieved } = certificate;
  const distance = bound > achieved ? bound - achieved : achieved - bound;
  const known = nativeRate !== undefined && achieved > 0n && distance * 10_000n < USELESS * achieved;
  return { bound, achieved, gapBps: known ? formatScaled(divide(distance * 10n ** 8n, achieved, "up"), 4) : null };
}
