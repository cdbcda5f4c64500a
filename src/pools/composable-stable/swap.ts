import { complement, divUp, mulDown, mulUp, ONE } from "../../math/fixed-point.ts";
import { MAX_UINT112 } from "../../math/full-math.ts";
import type { Direction, PoolQuote, Rejection } from "../pool-math.ts";
import { NO_LIQUIDITY, TOO_SMALL } from "../rejections.ts";
import { composableStableGas } from "./gas.ts";
import { stableBalance } from "./invariant.ts";
import { sharesForTokens, sharesFromTokens, tokensForShares, tokensFromShares } from "./shares.ts";
import type { ComposableStableState } from "./state.ts";
import { type ComposableStableAt, indexWithoutShare } from "./state-at.ts";
import { type Supply, supplyAfter, supplyBefore } from "./supply.ts";

type Answer = PoolQuote<ComposableStableState> | Rejection;

/** Payment of an exact-in swap within the limits (ComposableStablePool.sol, onSwap with GIVEN_IN). */
export function soldExactly(current: ComposableStableAt, direction: Direction, sellAmount: bigint): Answer {
  const { state, factors } = current;
  const [factorIn, factorOut] = [factors[direction.sell] as bigint, factors[direction.buy] as bigint];
  const given = (amount: bigint) => mulDown(amount, factorIn);
  const paid = (scaled: bigint) => (scaled * ONE) / factorOut;
  if (direction.sell !== state.share && direction.buy !== state.share) {
    const net = given(sellAmount - mulUp(sellAmount, state.swapFee));
    const gross = outGivenIn(current, direction, net);
    if (gross === undefined) return NO_LIQUIDITY;
    if (gross <= 0n) return TOO_SMALL;
    return moved(current, direction, { sellAmount, buyAmount: paid(gross), exactOut: false });
  }
  return ofShares(current, direction, (supply) => {
    const scaled =
      direction.buy === state.share
        ? sharesForTokens(current, supply, indexWithoutShare(state, direction.sell), given(sellAmount))
        : tokensFromShares(current, supply, indexWithoutShare(state, direction.buy), sellAmount);
    if (scaled === undefined) return undefined;
    return {
      scaledIn: given(sellAmount),
      scaledOut: scaled,
      sellAmount,
      buyAmount: paid(scaled),
      exactOut: false,
    };
  });
}

/** Cost of an exact output within the limits (onSwap with GIVEN_OUT). */
export function boughtExactly(current: ComposableStableAt, direction: Direction, buyAmount: bigint): Answer {
  const { state, factors } = current;
  const [factorIn, factorOut] = [factors[direction.sell] as bigint, factors[direction.buy] as bigint];
  const wanted = mulDown(buyAmount, factorOut);
  const cost = (scaled: bigint) => divUp(scaled, factorIn);
  if (direction.sell !== state.share && direction.buy !== state.share) {
    const scaled = inGivenOut(current, direction, wanted);
    if (scaled === undefined || scaled <= 0n) return NO_LIQUIDITY;
    const sellAmount = divUp(cost(scaled), complement(state.swapFee));
    return moved(current, direction, { sellAmount, buyAmount, exactOut: true });
  }
  return ofShares(current, direction, (supply) => {
    const scaled =
      direction.buy === state.share
        ? tokensForShares(current, supply, indexWithoutShare(state, direction.sell), wanted)
        : sharesFromTokens(current, supply, indexWithoutShare(state, direction.buy), wanted);
    if (scaled === undefined) return undefined;
    return { scaledIn: scaled, scaledOut: wanted, sellAmount: cost(scaled), buyAmount, exactOut: true };
  });
}

/** StableMath.sol, _calcOutGivenIn. */
function outGivenIn(current: ComposableStableAt, { sell, buy }: Direction, amount: bigint): bigint | undefined {
  const { state, scaled, amplification, d } = current;
  const [from, to] = [indexWithoutShare(state, sell), indexWithoutShare(state, buy)];
  const after = scaled.map((balance, i) => (i === from ? balance + amount : balance));
  const left = stableBalance(after, to, d, amplification);
  return left === undefined ? undefined : (scaled[to] as bigint) - left - 1n;
}

/** StableMath.sol, _calcInGivenOut. */
function inGivenOut(current: ComposableStableAt, { sell, buy }: Direction, amount: bigint): bigint | undefined {
  const { state, scaled, amplification, d } = current;
  const [from, to] = [indexWithoutShare(state, sell), indexWithoutShare(state, buy)];
  if (amount >= (scaled[to] as bigint)) return undefined;
  const after = scaled.map((balance, i) => (i === to ? balance - amount : balance));
  const held = stableBalance(after, from, d, amplification);
  return held === undefined ? undefined : held - (scaled[from] as bigint) + 1n;
}

/** A join or exit by swap: scaled amounts as the pool counts them, base units as the vault moves them. */
interface ShareSwap extends Move {
  readonly scaledIn: bigint;
  readonly scaledOut: bigint;
}

/** Amounts that the vault moves; base units. */
interface Move {
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
  readonly exactOut: boolean;
}

function ofShares(
  current: ComposableStableAt,
  direction: Direction,
  swap: (supply: Supply) => ShareSwap | undefined,
): Answer {
  const { state, scaled, amplification } = current;
  const before = supplyBefore(current);
  const done = before && swap(before);
  if (before === undefined) return NO_LIQUIDITY;
  // Within the limits the contract reverts only where its digits do not tell a trade from none.
  if (done === undefined) return TOO_SMALL;
  if (done.sellAmount === 0n || done.buyAmount === 0n) return TOO_SMALL;
  if (done.buyAmount > (state.balances[direction.buy] as bigint)) return NO_LIQUIDITY;
  const joins = direction.buy === state.share;
  const index = indexWithoutShare(state, joins ? direction.sell : direction.buy);
  const change = joins ? done.scaledIn : -done.scaledOut;
  const shares = joins ? before.shares + done.scaledOut : before.shares - done.scaledIn;
  const after = supplyAfter(
    current,
    before,
    shares,
    scaled.map((balance, i) => (i === index ? balance + change : balance)),
  );
  if (after === undefined) return NO_LIQUIDITY;
  return moved(current, direction, done, {
    totalSupply: state.totalSupply + before.minted + after.minted,
    ...{ lastA: amplification, lastInvariant: after.invariant, oldRates: state.rates },
  });
}

function moved(
  { state, scaled }: ComposableStableAt,
  { sell, buy }: Direction,
  { sellAmount, buyAmount, exactOut }: Move,
  more: Partial<ComposableStableState> = {},
): Answer {
  if (buyAmount <= 0n) return TOO_SMALL;
  if (buyAmount > (state.balances[buy] as bigint)) return NO_LIQUIDITY;
  if (sellAmount > MAX_UINT112 - (state.balances[sell] as bigint)) return NO_LIQUIDITY;
  const balances = state.balances.map((balance, i) =>
    i === sell ? balance + sellAmount : i === buy ? balance - buyAmount : balance,
  );
  const gas = composableStableGas(scaled.length, sell === state.share || buy === state.share, exactOut, state.roundsUp);
  return { amount: exactOut ? sellAmount : buyAmount, gas, next: { ...state, balances, ...more } };
}
