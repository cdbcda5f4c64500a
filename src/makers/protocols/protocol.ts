import type { Address } from "../../domain/address.ts";
import type { MakerOrder, RfqCall } from "../../domain/maker-order.ts";
import type { FirmOrderRequest } from "../../quoting/maker-ports.ts";
import type { PairLevels } from "../levels-message.ts";
import type { OrderTerms } from "../order-answer.ts";

/** Facts that levels told as prices of whole tokens are read with. */
export interface LevelsContext {
  /** Decimals of a token; undefined for one that the service does not know. */
  readonly decimalsOf: (token: Address) => number | undefined;
}

/** Terms of an order that a maker's own contract settles. */
export interface ForeignTerms extends OrderTerms {
  readonly chainId: number;
  /** The contract that settles it. */
  readonly contract: Address;
}

/** One request for a firm order; by POST with a body, without by GET. */
export interface Question {
  readonly url: URL;
  readonly body?: string;
}

/** An order as the maker's own contract knows it, with the call that fills it. */
export interface ForeignOrder {
  readonly order: MakerOrder;
  readonly call: RfqCall;
}

/** Protocol of makers that settle orders by contracts of their own. */
export interface ForeignProtocol {
  /** Its contract on a chain; undefined where none is published. */
  contractOn(chainId: number): Address | undefined;
  /** A socket's message as JSON; undefined if it is none. Absent: it is JSON already. */
  readonly parse?: (bytes: Buffer) => unknown;
  /**
   * All levels of a message. Absent: makers of this protocol show none.
   * @throws Error saying what is wrong with the message as a whole; unusable pairs are left out
   */
  readonly readLevels?: (message: unknown, context: LevelsContext) => readonly PairLevels[];
  question(ask: FirmOrderRequest, terms: ForeignTerms, ordersUrl: URL): Question;
  /**
   * The order in an answer: that it is the one which was asked for is looked at elsewhere.
   * @throws UnusableAnswer
   */
  readOrder(body: unknown, terms: ForeignTerms): ForeignOrder;
  /** Whether the order's `maker` pays out of an allowance of the contract, so that its funds can be looked up. */
  readonly makerPays: boolean;
}
