import type { Address, Hex } from "../../domain/address.ts";
import type { MakerOrder, RfqCall } from "../../domain/maker-order.ts";
import type { Ratio } from "../../domain/ratio.ts";

/** A maker's firm order. Token 0 is the order's takerToken, which is sold; token 1 its makerToken. */
export interface SignedOrderState {
  readonly order: MakerOrder;
  readonly signature: Hex;
  /** A contract of the maker's judges the signature (ERC-1271). Absent: it is that of a key which may sign for the maker. */
  readonly judgesItself?: true;
  /** The contract that fills it. */
  readonly settlement: Address;
  /** Call of the maker's own contract, if that is what fills it. Absent: OrderSettlement does, by the signature. */
  readonly call?: RfqCall;
  /** The best rate that its maker gave for any amount when it was asked: the order's own, or that of its first level. */
  readonly spot: Ratio;
  /** Whether it has been filled; there is no second fill. */
  readonly filled: boolean;
}
