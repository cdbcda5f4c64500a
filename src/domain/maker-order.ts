import { type Address, type Hex, toAddress } from "./address.ts";
import type { PoolId } from "./route.ts";
import type { SourceId } from "./source.ts";

/**
 * A market maker's firm order, as its maker signs it by EIP-712 and OrderSettlement fills it: fields and their order are
 * those of the signed type. All of it binds: whatever differs from what was signed makes the signature fail.
 */
export interface MakerOrder {
  /** Owner of the sold tokens. Signs itself, by a signer it has registered with OrderSettlement, or by ERC-1271. */
  readonly maker: Address;
  /** The only contract that may fill: our executor of this chain. */
  readonly taker: Address;
  /** The end taker: who calls the gateway, a smart wallet as well as a plain account. Our executor stands in for that. */
  readonly trader: Address;
  /** Token that the maker gives; an ERC-20, never the native token. */
  readonly makerToken: Address;
  /** Token that the maker gets; an ERC-20, never the native token. */
  readonly takerToken: Address;
  /** Amount that the maker gives for all of `takerAmount`; for a part: floor(makerAmount * part / takerAmount). uint128. */
  readonly makerAmount: bigint;
  /** The most that the maker takes in, over all fills. uint128, above zero. */
  readonly takerAmount: bigint;
  /** The least that one fill brings; `takerAmount`: all or nothing. uint128. */
  readonly minTakerAmount: bigint;
  /** Unix seconds; the last second in which it may be filled. uint64. */
  readonly expiry: bigint;
  /** Used up by the first fill. Of orders of one maker with the same nonce only one is ever filled. uint256. */
  readonly nonce: bigint;
  /** Whether further fills may take what the first one left. */
  readonly refillable: boolean;
}

/**
 * A market maker's signed order, filled in `settlement` (OrderSettlement). The fill sells `order.takerToken` and buys
 * `order.makerToken`. Exact-in takes at most `order.takerAmount`: what is above stays for later fills of the same token,
 * or goes back to the taker when this fill takes the rest; it gives floor(makerAmount * sold / takerAmount). Exact-out
 * sells ceil(bought * takerAmount / makerAmount).
 */
export interface MakerOrderAction {
  readonly action: "maker-order";
  readonly settlement: Address;
  readonly order: MakerOrder;
  /** Signature of `makerOrderDigest` by the maker; see OrderSettlement for its forms. At most 4,096 bytes. */
  readonly signature: Hex;
}

/** The pool id of a maker's pair, and of its order from the first token to the second. */
export function makerPairId(source: SourceId, first: Address, second: Address): PoolId {
  return `maker:${source.toLowerCase()}:${toAddress(first)}:${toAddress(second)}`;
}

/** Functions of makers' own contracts that orders are filled by, in the order that contracts/src/venues/RfqOrders.sol numbers them. */
export const RFQ_FUNCTIONS = ["0x-rfq", "0x-otc", "bebop-single", "hashflow-rfqt"] as const;

export type RfqFunction = (typeof RFQ_FUNCTIONS)[number];

/** Call of a maker's own contract that fills an order. */
export interface RfqCall {
  readonly function: RfqFunction;
  /** Arguments by their ABI, without a selector, as the maker signed them. The executor writes the amount that it fills. */
  readonly arguments: Hex;
}

/**
 * A market maker's order that a contract of the maker's own settles, whole or in part: as `MakerOrderAction`, apart from
 * who fills it.
 */
export interface RfqOrderAction {
  readonly action: "rfq-order";
  readonly settlement: Address;
  readonly order: Pick<MakerOrder, "makerToken" | "takerToken" | "makerAmount" | "takerAmount">;
  readonly call: RfqCall;
}
