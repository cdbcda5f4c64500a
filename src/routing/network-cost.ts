import type { Address } from "../domain/address.ts";
import { inFewBits } from "../domain/ratio.ts";
import type { NetworkCost } from "./router.ts";

/**
 * Bits of a rate that a float is made of: with as many again for the gas price and the rate itself, floats still hold it. One over
 * many pools is a product of all their prices.
 */
const RATE_BITS = 512;

/** Cost of an amount of gas in base units of a token, rounded up; 0 if the token has no native rate. */
export function costOfGas(cost: NetworkCost, token: Address, gas: bigint): bigint {
  const rate = cost.rate(token);
  if (rate === undefined) return 0n;
  return (gas * cost.gasPrice * rate.num + rate.den - 1n) / rate.den;
}

/** Base units of a token per unit of gas, as a float. */
export function costPerGas(cost: NetworkCost, token: Address): number {
  const rate = cost.rate(token);
  if (rate === undefined) return 0;
  const { num, den } = inFewBits(rate, RATE_BITS);
  return (Number(cost.gasPrice) * Number(num)) / Number(den);
}
