import type { Address } from "./address.ts";

/** Trades where no taker is named, or nothing is to depend on the taker: an address without code, history or meaning. */
export const STAND_IN = "0x7472696275746172792d7374616e642d696e2d31" as Address;
