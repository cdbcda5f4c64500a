import { ONE } from "../math/fixed-point.ts";
import { isConsistent } from "../pools/concentrated/changes.ts";
import type { CurveKind, CurveStates, Pool } from "../pools/pool.ts";

/** Parts of ten thousand, and of 10^10: fees of Solidly's pools and of Curve's. */
const BPS = 10_000n;
const CURVE_FEE_ONE = 10n ** 10n;
/** Balancer's pools have no token of less than a hundredth of their value (WeightedMath.sol, _MIN_WEIGHT). */
const LEAST_WEIGHT = ONE / 100n;

/** What is wrong with a state that no contract can have, by its curve; what is not here can be anything. */
const FAULTS: { readonly [K in CurveKind]?: (state: CurveStates[K]) => string | undefined } = {
  "constant-product": ({ feeNum, feeDen }) => unless(feeNum < feeDen, "feeNum: all or more of what goes in"),
  concentrated: (state) => unless(isConsistent(state), "price, ticks, liquidity and fee do not belong together"),
  solidly: ({ units, feeBps }) => unless(areAbove(0n, units) && feeBps < BPS, "units or feeBps of no pool"),
  stableswap: ({ balances, aPrecision, fee }) =>
    unless(balances.length > 1 && aPrecision > 0n && fee <= CURVE_FEE_ONE, "balances, aPrecision or fee of no pool"),
  cryptoswap: ({ balances: { length }, precisions, priceScale, generation }) =>
    length !== 3 && generation !== undefined
      ? "generation: of another number of tokens"
      : unless(
          (length === 2 || length === 3) && precisions.length === length && priceScale.length === length - 1,
          "balances, precisions and priceScale do not belong together",
        ),
  weighted: ({ weights, scales, swapFee }) => faultOfBalancer({ weights, scales, swapFee }),
  "composable-stable": ({ scales, swapFee }) => faultOfBalancer({ scales, swapFee }),
  "balancer-v3": ({ kind, weights, scales, swapFee }) =>
    faultOfBalancer(kind === "weighted" ? { weights, scales, swapFee } : { scales, swapFee }),
  vault: ({ virtualShares }) => unless(virtualShares > 0n, "virtualShares: none"),
  "balancer-v3-buffer": ({ virtualShares }) => unless(virtualShares > 0n, "virtualShares: none"),
  psm: ({ to18 }) => unless(to18 > 0n, "to18: zero"),
};

/** Why no contract can have left a pool like this; undefined where one can. */
export function impossibleIn({ tokens, curve, state }: Pool): string | undefined {
  if (new Set(tokens).size < tokens.length) return "tokens: one twice";
  const faultOf = FAULTS[curve] as ((state: Pool["state"]) => string | undefined) | undefined;
  return faultOf?.(state);
}

function faultOfBalancer(terms: {
  readonly weights?: readonly bigint[];
  readonly scales: readonly bigint[];
  readonly swapFee: bigint;
}): string | undefined {
  const { weights = [], scales, swapFee } = terms;
  if (scales.length < 2 || !areAbove(0n, scales)) return "scales: less than two, or one that is zero";
  if (swapFee >= ONE) return "swapFee: all or more of what goes in";
  return unless(areAbove(LEAST_WEIGHT - 1n, weights) && weights.every((weight) => weight < ONE), "weights of no pool");
}

function areAbove(least: bigint, values: readonly bigint[]): boolean {
  return values.every((value) => value > least);
}

function unless(isRight: boolean, fault: string): string | undefined {
  return isRight ? undefined : fault;
}
