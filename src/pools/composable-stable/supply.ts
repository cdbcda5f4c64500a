import { complement, divDown, mulDown, ONE } from "../../math/fixed-point.ts";
import { stableInvariant } from "./invariant.ts";
import { type ComposableStableAt, withoutShare } from "./state-at.ts";

/** Shares and invariant as a join or exit finds them, once the protocol has been given what it is owed. */
export interface Supply {
  /** Shares that somebody has. */
  readonly shares: bigint;
  readonly invariant: bigint;
  /** Shares that the protocol is given before. */
  readonly minted: bigint;
}

/** ComposableStablePoolProtocolFees.sol, _payProtocolFeesBeforeJoinExit. Undefined where the contract would revert. */
export function supplyBefore({ state, scaled, amplification, d }: ComposableStableAt): Supply | undefined {
  const { lastA, lastInvariant, protocolSwapFee, protocolYieldFee } = state;
  const held = state.totalSupply - (state.balances[state.share] as bigint);
  if (held <= 0n) return undefined;
  const exempt = withoutShare(state, state.exempt);
  const grown = withoutShare(
    state,
    state.rates.map((rate, i) => ({ rate, old: state.oldRates[i] as bigint })),
  );
  const adjusted = (all: boolean) =>
    scaled.map((balance, i) => {
      const { rate, old } = grown[i] as { rate: bigint; old: bigint };
      return all || exempt[i] ? (balance * old) / rate : balance;
    });
  const total = lastA === amplification ? d : stableInvariant(scaled, lastA);
  const bySwaps = invariantOrNothing(adjusted(true), lastA);
  if (total === undefined || bySwaps === undefined) return undefined;
  const taxed = exempt.every((each) => !each)
    ? total
    : exempt.every((each) => each)
      ? bySwaps
      : invariantOrNothing(adjusted(false), lastA);
  if (taxed === undefined) return undefined;
  const part = (growth: bigint, fee: bigint) => (growth > 0n ? mulDown(divDown(growth, total), fee) : 0n);
  const owned = part(bySwaps - lastInvariant, protocolSwapFee) + part(taxed - bySwaps, protocolYieldFee);
  const minted = sharesFor(held, owned);
  return minted === undefined ? undefined : { shares: held + minted, invariant: d, minted };
}

/** Shares that the protocol is given after a join or exit, for the fee in it, and the invariant it leads to. */
export function supplyAfter(
  { state, amplification }: ComposableStableAt,
  before: Supply,
  shares: bigint,
  scaled: readonly bigint[],
): { readonly minted: bigint; readonly invariant: bigint } | undefined {
  const invariant = stableInvariant(scaled, amplification);
  if (invariant === undefined) return undefined;
  const feeless = mulDown(before.invariant, divDown(shares, before.shares));
  const owned = invariant > feeless ? ((invariant - feeless) * state.protocolSwapFee) / invariant : 0n;
  const minted = sharesFor(shares, owned);
  return minted === undefined ? undefined : { minted, invariant };
}

/**
 * Shares to mint so that they are the part `owned` of all (ExternalFees.sol, bptForPoolOwnershipPercentage). Undefined
 * if that part is all or more: the value of a token has then fallen to a fraction of that at the last join.
 */
function sharesFor(shares: bigint, owned: bigint): bigint | undefined {
  return owned >= ONE ? undefined : (shares * owned) / complement(owned);
}

function invariantOrNothing(scaled: readonly bigint[], amplification: bigint): bigint | undefined {
  return scaled.some((balance) => balance <= 0n) ? undefined : stableInvariant(scaled, amplification);
}
