import type { Fill, Route } from "../domain/route.ts";
import type { Pool } from "../pools/pool.ts";
import { type ActionEncoder, ENTRY_BYTES } from "./action-codec.ts";

/**
 * Calldata of a settlement transaction: selector and terms, then a payload of whole words with its beginning, the tokens in
 * between and the entries of the fills (contracts/src/Payload.sol).
 */
const TERMS_BYTES = 4 + 32 * 11;
const WORD_BYTES = 32;
const BEGINNING_BYTES = { exactIn: 2, exactOut: 34 } as const;
const TOKEN_BYTES = 20;

/**
 * Bytes of an unsigned transaction beside its calldata: type, chain, nonce, fees, gas, recipient, value. Chains' own
 * contracts count the signature themselves (GasPriceOracle adds 68 bytes).
 */
const ENVELOPE_BYTES = 60;

/** Usual calldata and gas that a pool use adds: a fill, and a token now and then. */
export const USUAL_USE = { bytes: 45, gas: 75_000n } as const;

/** Bytes of an unsigned transaction with so many of calldata. */
export function transactionBytes(calldataBytes: number): number {
  return ENVELOPE_BYTES + calldataBytes;
}

/** Bytes of the calldata of a route with these fills, as far as its pools tell (test/promise/random-quotes.test.ts). */
export function usualCalldataBytes(
  encoders: readonly ActionEncoder[],
  route: Pick<Route, "kind" | "sellToken" | "buyToken">,
  fills: readonly Pick<Fill, "poolId" | "sellToken" | "buyToken">[],
  poolOf: (id: Fill["poolId"]) => Pool | undefined,
): number {
  const tokens = new Set(fills.flatMap(({ sellToken, buyToken }) => [sellToken, buyToken]));
  tokens.delete(route.sellToken);
  tokens.delete(route.buyToken);
  const entries = fills.reduce((sum, { poolId }) => sum + entriesOf(encoders, poolOf(poolId)), 0);
  const payload = BEGINNING_BYTES[route.kind] + TOKEN_BYTES * tokens.size + ENTRY_BYTES * entries;
  return TERMS_BYTES + Math.ceil(payload / WORD_BYTES) * WORD_BYTES;
}

function entriesOf(encoders: readonly ActionEncoder[], pool: Pool | undefined): number {
  if (pool === undefined) return 1;
  const more = encoders.reduce((most, encoder) => Math.max(most, encoder.usualMoreBytes?.(pool) ?? 0), 0);
  return 1 + Math.ceil(more / ENTRY_BYTES);
}
