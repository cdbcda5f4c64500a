import { bebop } from "./bebop.ts";
import { hashflow } from "./hashflow.ts";
import type { ForeignProtocol } from "./protocol.ts";
import { zeroEx } from "./zero-ex.ts";

/** Protocols of makers that settle orders by contracts of their own, by their names in the makers file. */
export const FOREIGN_PROTOCOLS = { bebop, hashflow, "0x": zeroEx } as const satisfies Readonly<
  Record<string, ForeignProtocol>
>;

export type ForeignProtocolName = keyof typeof FOREIGN_PROTOCOLS;

/** The protocol of that name. */
export function foreignProtocol(name: ForeignProtocolName): ForeignProtocol {
  return FOREIGN_PROTOCOLS[name];
}
