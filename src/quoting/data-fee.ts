import { fillsOf, type Route } from "../domain/route.ts";
import type { DataFee, Snapshot } from "../market/snapshot.ts";

/** Bytes of a transaction beside its calldata: nonce, gas, addresses, value and signature. */
const ENVELOPE_BYTES = 180;
/** Calldata of a settlement transaction without its fills, and of one fill, as a rule. */
const TERMS_BYTES = 400;
const FILL_BYTES = 40;

/** Gas of one touch of a pool, as a rule. */
const FILL_GAS = 110_000n;

/** Wei that a rollup asks for a transaction with so many bytes of calldata on its parent chain; 0 on other chains. */
export function dataFeeOf({ dataFee }: Snapshot, calldataBytes: number): bigint {
  if (dataFee === undefined) return 0n;
  return dataFee.fixed + dataFee.perByte * BigInt(calldataBytes + ENVELOPE_BYTES);
}

/** Bytes that a route's calldata has, as a rule: a price has no transaction that could be measured. */
export function usualCalldataBytes(route: Route): number {
  return TERMS_BYTES + FILL_BYTES * fillsOf(route).length;
}

/**
 * Wei per unit of gas that a search counts with: on rollups what a touch of a pool adds to the calldata is spread over its gas,
 * so that a pool has to be worth its bytes too.
 */
export function gasPriceWithData(gasPrice: bigint, dataFee: DataFee | undefined): bigint {
  if (dataFee === undefined) return gasPrice;
  return gasPrice + (dataFee.perByte * BigInt(FILL_BYTES) + FILL_GAS - 1n) / FILL_GAS;
}
