import { NATIVE_TOKEN } from "../domain/address.ts";
import { fillsOf, type Route } from "../domain/route.ts";
import { partsOf } from "../domain/terms/swap-fee.ts";
import type { SwapTerms } from "../quoting/ports.ts";
import { isPlain } from "./encode.ts";

/**
 * Gas of a transaction apart from its fills: its own 21,000, the terms' calldata, gateway and executor, and the first looks
 * at the two tokens with the taker's and the recipient's balances.
 */
const AROUND = { exactIn: 48_000n, exactOut: 49_000n } as const;

/** Gas that a native token saves: as the sold token an allowance to read and draw on, as the bought one a balance. */
const NATIVE_SOLD = 6_000n;
const NATIVE_BOUGHT = 2_300n;

/** Output by way of the gateway, and the fee's own transfer. */
const FEE = 16_000n;
/** Refund for a slot that is filled and emptied again. */
export const SLOT_GIVEN_BACK = 19_900n;

/** Further gas of an order compared with plain terms, without fees. */
const ORDER = 3_400n;
/** One more recipient of a fee, or one of a fee on the sold token. */
const FEE_PART = 10_000n;
/** A permit, and a transfer of Permit2's with the gateway's balance for a moment; `limit` where nothing was ever written. */
const SIGNATURE = {
  eip2612: { expected: 35_000n, limit: 65_000n },
  permit2: { expected: 45_000n, limit: 85_000n },
} as const;

const NO_SIGNATURE = { expected: 0n, limit: 0n } as const;
/** The payment of a share of surplus, its recipient new. */
const SHARE_LIMIT = 35_000n;

/** Unspent native token: from the executor to the gateway to the caller. */
const NATIVE_REFUND = 17_000n;

/**
 * Gas of a route's transaction: what the search counts for its fills (`Fill.gas`), what is around them, and what of the
 * slots' refunds is above the fifth that a transaction gets back (EIP-3529). It holds where pools are in use (their slots
 * were written before) and the recipient holds some of the bought token already, and an integrator too: a first holding
 * costs 17,100 more. How near it is: test/promise/random-quotes.test.ts.
 */
export function swapGas(route: Route, terms: SwapTerms): bigint {
  let gas = AROUND[route.kind];
  let givenBack = 0n;
  const fills = fillsOf(route);
  const passing = new Set(fills.filter(({ passesOn }) => passesOn).map(({ buyToken }) => buyToken));
  for (const fill of fills) {
    gas += fill.gas;
    givenBack += fill.givenBack ?? 0n;
    // The slot that it is drawn from, which the pool use that brought it counts.
    if ((fill.givenBack ?? 0n) >= SLOT_GIVEN_BACK && passing.has(fill.sellToken)) givenBack -= SLOT_GIVEN_BACK;
  }
  if (route.sellToken === NATIVE_TOKEN) gas -= NATIVE_SOLD;
  if (route.buyToken === NATIVE_TOKEN) gas -= NATIVE_BOUGHT;
  if (!isPlain(terms)) gas += ORDER;
  gas += BigInt(partsOf(terms.fee).length) * FEE_PART;
  // Nobody knows of a surplus before, so that its share is counted as not paid.
  if (comesByGateway(terms)) {
    gas += FEE - FEE_PART;
    // FEE counts what comes back for the balance that the gateway then has for a moment only.
    givenBack += route.buyToken === NATIVE_TOKEN ? 0n : SLOT_GIVEN_BACK;
  }
  if (route.sellToken === NATIVE_TOKEN && terms.maxSellAmount > route.sellAmount) gas += NATIVE_REFUND;
  const atLeast = ((gas + givenBack) * 4n) / 5n;
  return (gas > atLeast ? gas : atLeast) + unseenGas(terms).expected;
}

/** Whether what is bought comes to the gateway first: a fee or a share of surplus is taken of it. */
export function comesByGateway({ fee, surplus }: SwapTerms): boolean {
  return surplus !== undefined || (fee !== undefined && fee.fromSold !== true);
}

/**
 * Gas that no run at the quote's block shows: that of the signature which terms wait for, above a standing allowance
 * (test/quoting/quote/approvals.test.ts), and the payment of a share of surplus, of which there is none then.
 */
export function unseenGas({ signed, surplus }: SwapTerms): { readonly expected: bigint; readonly limit: bigint } {
  const { expected, limit } = signed === undefined ? NO_SIGNATURE : SIGNATURE[signed.kind];
  return { expected, limit: surplus === undefined ? limit : limit + SHARE_LIMIT };
}
