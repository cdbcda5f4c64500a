import type { DataFee, Snapshot } from "../../market/snapshot.ts";
import type { GasEstimate } from "../answer/gas.ts";

/**
 * Bytes of an unsigned transaction beside its calldata: type, chain, nonce, fees, gas, recipient, value. Chains' own
 * contracts count the signature themselves (GasPriceOracle adds 68 bytes).
 */
const ENVELOPE_BYTES = 60;

/** What of a snapshot a transaction's cost hangs on. */
type Charges = Pick<Snapshot, "dataFee" | "gasPrice">;

/** What a touch of a pool adds to the calldata and to the gas, as a rule: a fill, and a token now and then. */
const TOUCH_BYTES = 45;
const TOUCH_GAS = 75_000n;

/** Wei that a rollup asks for a transaction with so many bytes of calldata on its parent chain; 0 on other chains. */
export function dataFeeOf({ dataFee }: Charges, calldataBytes: number): bigint {
  if (dataFee === undefined) return 0n;
  return dataFee.fixed + dataFee.perByte * BigInt(calldataBytes + ENVELOPE_BYTES);
}

/** What a transaction costs, its data included. */
interface NetworkFee {
  /** As it has to be sent: with room for the data where the chain charges that as gas, at its own price. */
  readonly gas: GasEstimate;
  /** Wei, with all of the gas limit. */
  readonly total: bigint;
}

/** `gas`: without the data; `gasPrice`: what gas is to be valued with, wei. */
export function networkFeeOf(snapshot: Charges, gas: GasEstimate, gasPrice: bigint, calldataBytes: number): NetworkFee {
  const fee = dataFeeOf(snapshot, calldataBytes);
  if (snapshot.dataFee?.asGas !== true) return { gas, total: gas.limit * gasPrice + fee };
  const price = snapshot.gasPrice > 0n ? snapshot.gasPrice : 1n;
  const more = (fee + price - 1n) / price;
  const limit = gas.limit + more;
  return { gas: { expected: gas.expected + more, limit }, total: limit * gasPrice };
}

/**
 * Wei per unit of gas that a search counts with: on rollups what a touch of a pool adds to the calldata is spread over its gas,
 * so that a pool has to be worth its bytes too.
 */
export function gasPriceWithData(gasPrice: bigint, dataFee: DataFee | undefined): bigint {
  if (dataFee === undefined) return gasPrice;
  return gasPrice + (dataFee.perByte * BigInt(TOUCH_BYTES) + TOUCH_GAS - 1n) / TOUCH_GAS;
}
