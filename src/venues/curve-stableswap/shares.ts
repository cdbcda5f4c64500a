import { toFunctionSelector } from "viem";
import { type Address, type Hex, toAddress } from "../../domain/address.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import { isRejection } from "../../pools/pool-math.ts";
import { coinForShares, virtualPriceOf } from "../../pools/stableswap/share.ts";
import type { StableswapState } from "../../pools/stableswap/state.ts";
import { stateAt } from "../../pools/stableswap/state-at.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";

const SUPPLY = toFunctionSelector("totalSupply()");
const MINTER = toFunctionSelector("minter()");
const VIRTUAL_PRICE = toFunctionSelector("get_virtual_price()");
const WITHDRAWAL = toFunctionSelector("calc_withdraw_one_coin(uint256,int128)");
/** A whole share, which the pool is asked what it would pay for. */
const ASKED = 10n ** 18n;

/** A pool's coins: its tokens but for its own share. */
export function coinsOf({ tokens, terms: { share } }: Pick<PoolRef, "tokens" | "terms">): readonly Address[] {
  return share === undefined ? tokens : tokens.slice(0, -1);
}

/** Calls to a pool whose own share is traded; none for any other. */
export function shareCalls({ address, tokens, terms }: PoolRef): readonly Call[] {
  if (terms.share === undefined) return [];
  const share = toAddress(terms.share);
  return [
    { to: share, data: SUPPLY, isForeignCall: true },
    { to: share, data: MINTER, isForeignCall: true },
    { to: address, data: VIRTUAL_PRICE },
    ...coinsOf({ tokens, terms }).map((_, i) => ({
      to: address,
      data: `${WITHDRAWAL}${wordOf(ASKED)}${wordOf(i)}` as Hex,
    })),
  ];
}

/**
 * Number of shares, if the record's token is the pool's share, the pool tells our own price of it, and would
 * pay what we say for one share in each of its coins, which takes the fee as the transaction does. Else undefined.
 */
export function supplyFrom(
  { address, terms: { share } }: PoolRef,
  answers: readonly (Hex | undefined)[],
  state: StableswapState,
  time: bigint,
): bigint | undefined {
  const [supplied, minter, price, ...withdrawals] = answers;
  const totalSupply = supplied === undefined ? undefined : uintAt(supplied, 0, 128);
  if (share === undefined || !totalSupply || price === undefined) return undefined;
  if (share !== address && (minter === undefined || addressAt(minter, 0) !== address)) return undefined;
  const current = stateAt(state, time);
  if (isRejection(current) || virtualPriceOf({ ...state, totalSupply }, time) !== uintAt(price, 0)) return undefined;
  const isPaid = (answer: Hex | undefined, coin: number) => {
    const paid = coinForShares(current, totalSupply, coin, ASKED);
    return answer !== undefined && !isRejection(paid) && paid.amount === uintAt(answer, 0);
  };
  return totalSupply > ASKED && withdrawals.every(isPaid) ? totalSupply : undefined;
}
