import { divRoundingUp, MAX_UINT256 } from "../../math/full-math.ts";
import { squareRoot } from "../../math/square-root.ts";
import type { PeggedTerms } from "./program.ts";

/** Scale of normalised balances. */
export const PEGGED_ONE = 10n ** 27n;
const ONE = PEGGED_ONE;

/**
 * One direction of a curve for pegged tokens (1inch/swap-vm, PeggedSwap.sol): with balances u and v in parts of their references,
 * sqrt(u) + sqrt(v) + a (u + v) stays the same.
 */
export interface PeggedSide {
  /** Balances times their rates. */
  readonly sold: bigint;
  readonly bought: bigint;
  readonly soldReference: bigint;
  readonly boughtReference: bigint;
  readonly soldRate: bigint;
  readonly boughtRate: bigint;
  readonly width: bigint;
  /** The sum that stays the same. */
  readonly invariant: bigint;
}

/** A direction of a pool; undefined where it holds nothing, or the router's numbers overflow. */
export function peggedSide(
  balances: readonly [bigint, bigint],
  { references, width, rates }: PeggedTerms,
  sell: 0 | 1,
): PeggedSide | undefined {
  const buy = sell === 0 ? 1 : 0;
  const [sold, bought] = [balances[sell] * rates[sell], balances[buy] * rates[buy]];
  if (sold === 0n && bought === 0n) return undefined;
  const [u, v] = [(sold * ONE) / references[sell], (bought * ONE) / references[buy]];
  const sum = width * (u + v);
  if (!fits256(sold * ONE, bought * ONE, u * ONE, v * ONE, sum)) return undefined;
  const invariant = squareRoot(u * ONE) + squareRoot(v * ONE) + sum / ONE;
  return {
    ...{ sold, bought, width, invariant },
    ...{ soldReference: references[sell], boughtReference: references[buy] },
    ...{ soldRate: rates[sell], boughtRate: rates[buy] },
  };
}

/** Payment for an amount sold; undefined where the router reverts. */
export function peggedPays(side: PeggedSide, amount: bigint): bigint | undefined {
  const sold = side.sold + amount * side.soldRate;
  const left = otherBalance(side, sold, side.soldReference, side.boughtReference);
  return left === undefined || left > side.bought ? undefined : (side.bought - left) / side.boughtRate;
}

/** Cost of an amount bought; undefined where the router reverts. */
export function peggedCosts(side: PeggedSide, amount: bigint): bigint | undefined {
  const bought = side.bought - amount * side.boughtRate;
  if (bought < 0n) return undefined;
  const needed = otherBalance(side, bought, side.boughtReference, side.soldReference);
  return needed === undefined || needed < side.sold ? undefined : divRoundingUp(needed - side.sold, side.soldRate);
}

/** The balance of one token, rounded up, that goes with a balance of the other. */
function otherBalance(side: PeggedSide, balance: bigint, reference: bigint, other: bigint): bigint | undefined {
  if (!fits256(balance * ONE)) return undefined;
  const solved = solvedFor(side, (balance * ONE) / reference);
  if (solved === undefined || !fits256(solved * other)) return undefined;
  return divRoundingUp(solved * other, ONE);
}

/** The other normalised balance (PeggedSwapMath.sol): v = w^2, where w is the positive root of a w^2 + w = rest. */
function solvedFor({ width, invariant }: PeggedSide, u: bigint): bigint | undefined {
  if (!fits256(u * ONE, width * u)) return undefined;
  const rest = invariant - squareRoot(u * ONE) - (width * u) / ONE;
  if (rest < 0n) return undefined;
  if (width === 0n) return fits256(rest * rest) ? (rest * rest) / ONE : undefined;
  const square = ONE + (4n * width * rest) / ONE;
  if (!fits256(4n * width * rest, square * ONE, 2n * rest * ONE)) return undefined;
  const root = (2n * rest * ONE) / (ONE + rootRoundingUp(square * ONE));
  return fits256(root * root) ? (root * root) / ONE : undefined;
}

function rootRoundingUp(value: bigint): bigint {
  const root = squareRoot(value);
  return root * root < value ? root + 1n : root;
}

function fits256(...values: readonly bigint[]): boolean {
  return values.every((value) => value <= MAX_UINT256);
}
