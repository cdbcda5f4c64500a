import { divide } from "../../domain/ratio.ts";
import type { DataFee, Snapshot } from "../../market/snapshot.ts";
import type { GasEstimate } from "../answer/gas.ts";
import type { UsualUse } from "../ports.ts";

/** Prices of a snapshot that a transaction's cost depends on. */
type Charges = Pick<Snapshot, "dataFee" | "gasPrice">;

/** Wei that a rollup asks for an unsigned transaction of so many bytes on its parent chain; 0 on other chains. */
export function dataFeeOf({ dataFee }: Charges, bytes: number): bigint {
  if (dataFee === undefined) return 0n;
  return dataFee.fixed + dataFee.perByte * BigInt(bytes);
}

/** Cost of a transaction, its data included. */
interface NetworkFee {
  /** As it has to be sent: with room for the data where the chain charges that as gas, at its own price. */
  readonly gas: GasEstimate;
  /** Wei, with all of the gas limit. */
  readonly total: bigint;
}

/** `gas`: without the data; `gasPrice`: what gas is to be valued with, wei; `bytes`: of the unsigned transaction. */
export function networkFeeOf(snapshot: Charges, gas: GasEstimate, gasPrice: bigint, bytes: number): NetworkFee {
  const fee = dataFeeOf(snapshot, bytes);
  if (snapshot.dataFee?.asGas !== true) return { gas, total: gas.limit * gasPrice + fee };
  const price = snapshot.gasPrice > 0n ? snapshot.gasPrice : 1n;
  const more = (fee + price - 1n) / price;
  const limit = gas.limit + more;
  return { gas: { expected: gas.expected + more, limit }, total: limit * gasPrice };
}

/**
 * Wei per unit of gas that a search counts with: on rollups what a use of a pool adds to the calldata is spread over its gas,
 * so that a pool has to be worth its bytes too.
 */
export function gasPriceWithData(gasPrice: bigint, dataFee: DataFee | undefined, use: UsualUse): bigint {
  if (dataFee === undefined) return gasPrice;
  return gasPrice + divide(dataFee.perByte * BigInt(use.bytes), use.gas, "up");
}
