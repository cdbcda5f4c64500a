import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import type { Ratio } from "../../domain/ratio.ts";
import type { Token } from "../../domain/token.ts";
import type { Rates } from "../../market/rates.ts";
import type { Certificate } from "../../routing/router.ts";
import type { PriceAnswer, SwapRequest } from "../answer/types.ts";

/** Whole sold tokens per whole bought token. */
export function priceOf(sellToken: Token, sellAmount: bigint, buyToken: Token, buyAmount: bigint): Ratio {
  return {
    num: sellAmount * 10n ** BigInt(buyToken.decimals),
    den: buyAmount * 10n ** BigInt(sellToken.decimals),
  };
}

/** Whole tokens per whole native token, 1 for native and wrapped native, null when unknown. */
export function nativeRateOf(token: Token, rates: Rates, wrappedNative: Address): Ratio | null {
  if (token.address === NATIVE_TOKEN || token.address === wrappedNative) return { num: 1n, den: 1n };
  const rate = rates.perNative(token.address);
  if (rate === undefined) return null;
  return { num: rate.num * 10n ** 18n, den: rate.den * 10n ** BigInt(token.decimals) };
}

/** Basis points from which on a bound says nothing useful of a route. */
const USELESS = 100n;

/**
 * The certificate with its gap as a fraction of what was achieved. Without a gap where gas has no value in the token, the
 * route is worth less than its gas, or the bound says nothing useful. No route is better than a bound: where fees that round
 * down to units of a coarse token leave the bound short of what is achieved, that is the bound.
 */
export function optimalityOf(
  certificate: Certificate,
  kind: SwapRequest["amount"]["kind"],
  nativeRate: Ratio | undefined,
): PriceAnswer["optimality"] {
  const { achieved } = certificate;
  const isShort = kind === "exactIn" ? certificate.bound < achieved : certificate.bound > achieved;
  const bound = isShort ? achieved : certificate.bound;
  const distance = bound > achieved ? bound - achieved : achieved - bound;
  const known = nativeRate !== undefined && achieved > 0n && distance * 10_000n < USELESS * achieved;
  return { bound, achieved, gap: known ? { num: distance, den: achieved } : null };
}
