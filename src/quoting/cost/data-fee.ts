import type { Fill, Route } from "../../domain/route.ts";
import type { DataFee, Snapshot } from "../../market/snapshot.ts";
import type { CurveKind, Pool } from "../../pools/pool.ts";
import type { GasEstimate } from "../answer/gas.ts";

/**
 * Bytes of an unsigned transaction beside its calldata: type, chain, nonce, fees, gas, recipient, value. Chains' own
 * contracts count the signature themselves (GasPriceOracle adds 68 bytes).
 */
const ENVELOPE_BYTES = 60;
/**
 * Calldata of a settlement transaction: selector and terms, then a payload of whole words with its beginning, the tokens in
 * between and the entries of the fills (contracts/src/Payload.sol).
 */
const TERMS_BYTES = 4 + 32 * 11;
const WORD_BYTES = 32;
const BEGINNING_BYTES = { exactIn: 2, exactOut: 34 } as const;
const TOKEN_BYTES = 20;
const ENTRY_BYTES = 30;
/** Pools that lie in a vault, which the first entry names: a second one names them. */
const IN_A_VAULT: ReadonlySet<CurveKind> = new Set<CurveKind>([
  "weighted",
  "composable-stable",
  "balancer-v3",
  "balancer-v3-buffer",
]);
/** Of a maker's order, a signature of 65 bytes included, which further entries have (settlement/encode-venue.ts). */
const ORDER_BYTES = 176;

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
 * Bytes of the calldata of a route with these fills: a price has no transaction that could be measured
 * (test/promise/random-quotes.test.ts).
 */
export function usualCalldataBytes(
  route: Pick<Route, "kind" | "sellToken" | "buyToken">,
  fills: readonly Pick<Fill, "poolId" | "sellToken" | "buyToken">[],
  { graph }: Pick<Snapshot, "graph">,
): number {
  const tokens = new Set(fills.flatMap(({ sellToken, buyToken }) => [sellToken, buyToken]));
  tokens.delete(route.sellToken);
  tokens.delete(route.buyToken);
  const entries = fills.reduce((sum, { poolId }) => sum + entriesOf(graph.pool(poolId)), 0);
  const payload = BEGINNING_BYTES[route.kind] + TOKEN_BYTES * tokens.size + ENTRY_BYTES * entries;
  return TERMS_BYTES + Math.ceil(payload / WORD_BYTES) * WORD_BYTES;
}

function entriesOf(pool: Pool | undefined): number {
  if (pool === undefined) return 1;
  if (pool.curve === "levels" || pool.curve === "signed-order") return 1 + Math.ceil(ORDER_BYTES / ENTRY_BYTES);
  const isInVault = pool.curve === "concentrated" ? pool.state.key !== undefined : IN_A_VAULT.has(pool.curve);
  return isInVault ? 2 : 1;
}

/**
 * Wei per unit of gas that a search counts with: on rollups what a touch of a pool adds to the calldata is spread over its gas,
 * so that a pool has to be worth its bytes too.
 */
export function gasPriceWithData(gasPrice: bigint, dataFee: DataFee | undefined): bigint {
  if (dataFee === undefined) return gasPrice;
  return gasPrice + (dataFee.perByte * BigInt(TOUCH_BYTES) + TOUCH_GAS - 1n) / TOUCH_GAS;
}
