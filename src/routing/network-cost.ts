import type { Address } from "../domain/address.ts";
import type { NetworkCost } from "./router.ts";

/** What an amount of gas costs in base units of a token, rounded up; 0 where the token has no native rate. */
export function costOfGas(cost: NetworkCost, token: Address, gas: bigint): bigint {
  const rate = cost.rate(token);
  if (rate === undefined) return 0n;
  return (gas * cost.gasPrice * rate.num + rate.den - 1n) / rate.den;
}

/** Base units of a token per unit of gas, as a float. */
export function costPerGas(cost: NetworkCost, token: Address): number {
  const rate = cost.rate(token);
  return rate === undefined ? 0 : (Number(cost.gasPrice) * Number(rate.num)) / Number(rate.den);
}
