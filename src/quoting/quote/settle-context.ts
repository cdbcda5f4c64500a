import type { Address } from "../../domain/address.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { KnownGas } from "../answer/types.ts";
import type { MakerDesk } from "../maker-ports.ts";
import type { AccountNotes, MarketView, PermitReader, Settlement, Simulator, TokenRegistry } from "../ports.ts";
import type { SearchSetting } from "../search/route-query.ts";

/** Setting in which a route is turned into a transaction. */
export interface SettleSetting extends SearchSetting {
  readonly wrappedNative: Address;
  readonly settlement: Settlement;
  readonly accounts: AccountNotes;
  /** Absent: nothing is approved by a signature. */
  readonly permits?: PermitReader;
  readonly simulator: Simulator;
  readonly tokens: TokenRegistry;
  /** Asks contracts whose prices nobody else knows. Absent: there is no node to ask. */
  readonly reader?: Pick<ChainReader, "calls">;
  readonly recheck: MarketView["recheck"];
  /** Told how makers' orders did. */
  readonly makers?: Pick<MakerDesk, "settled">;
  /** When the caller stops waiting, milliseconds since 1970. */
  readonly deadlineMs?: number | undefined;
  /** Aborted when it has left. */
  readonly signal: AbortSignal;
  readonly knownGas?: KnownGas;
  /** Unix seconds: stands in every transaction. */
  readonly deadline: bigint;
}
