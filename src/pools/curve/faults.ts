import { ONE } from "../../math/fixed-point.ts";

/** Balancer's pools have no token of less than a hundredth of their value (WeightedMath.sol, _MIN_WEIGHT). */
const MIN_WEIGHT = ONE / 100n;

/** A fault, unless something is so. */
export function unless(isRight: boolean, fault: string): string | undefined {
  return isRight ? undefined : fault;
}

export function areAbove(least: bigint, values: readonly bigint[]): boolean {
  return values.every((value) => value > least);
}

/** Why no Balancer pool has such terms; undefined where one can. */
export function faultOfBalancer(terms: {
  readonly weights?: readonly bigint[];
  readonly scales: readonly bigint[];
  readonly swapFee: bigint;
}): string | undefined {
  const { weights = [], scales, swapFee } = terms;
  if (scales.length < 2 || !areAbove(0n, scales)) return "scales: less than two, or one that is zero";
  if (swapFee >= ONE) return "swapFee: all or more of what goes in";
  return unless(areAbove(MIN_WEIGHT - 1n, weights) && weights.every((weight) => weight < ONE), "weights of no pool");
}
