import type { Address } from "../domain/address.ts";
import type { Ratio } from "../domain/ratio.ts";
import type { NetworkCost } from "./router.ts";

/** Bits of a rate that a float is made of: with as many again for the gas price and the rate itself, floats still hold it. */
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
  const { num, den } = inFewBits(rate);
  return (Number(cost.gasPrice) * Number(num)) / Number(den);
}

/** A rate over many pools is a product of all their prices, and can have more digits than a float has room for. */
function inFewBits({ num, den }: Ratio): Ratio {
  const excess = Math.min(bitsOf(num), bitsOf(den)) - RATE_BITS;
  return excess > 0 ? { num: num >> BigInt(excess), den: den >> BigInt(excess) } : { num, den };
}

function bitsOf(value: bigint): number {
  return value.toString(16).length * 4;
}
