import type { Address } from "../domain/address.ts";
import type { SourceId } from "../domain/source.ts";
import type { ForeignProtocolName } from "./protocols/index.ts";

/** One market maker as the operator has configured it. */
export interface MakerRecord {
  /** Its name in the API. */
  readonly name: SourceId;
  /** Address of its levels; undefined for a maker that is asked per request (RFQ) for the pairs it deals in. */
  readonly levels:
    | { readonly transport: "socket"; readonly url: URL }
    | { readonly transport: "poll"; readonly url: URL; readonly everyMs: number }
    | undefined;
  /** Pairs of a maker without levels. */
  readonly pairs: readonly (readonly [Address, Address])[];
  /** URL for requests of firm orders. */
  readonly ordersUrl: URL;
  /**
   * Protocol of a maker whose orders a contract of its own settles, and that contract. Absent: it speaks the protocol of
   * docs/makers.md, and OrderSettlement fills its orders.
   */
  readonly settles?: { readonly protocol: ForeignProtocolName; readonly contract: Address };
  /** Accounts whose tokens it sells: `maker` of its orders is one of these. Empty, where it settles itself: any. */
  readonly accounts: readonly Address[];
  /** Keys that may sign for these besides their own, registered with OrderSettlement. */
  readonly signers: readonly Address[];
  /** Whether its accounts are contracts that judge signatures themselves (ERC-1271). */
  readonly erc1271: boolean;
  /** Sent with every request to it: secrets, never logged. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether its URLs may lead to this machine or to private networks, and be without TLS. */
  readonly allowPrivateNetwork: boolean;
}
