import type { KeyDatabase } from "../api/keys/key-database.ts";
import type { Digest } from "../api/keys/pepper.ts";
import type { UsageDatabase } from "../api/usage/usage-database.ts";
import type { SwitchRecord } from "../domain/switches.ts";
import type { QuoteLog } from "../quoting/record/quote-log.ts";

/** Keys, and what their digests are made with. */
export interface KeptKeys {
  readonly database: KeyDatabase;
  readonly digest: Digest;
}

/** Counts of writes on this machine's disk that wait for a database elsewhere. */
export interface Waiting {
  /** Rows of usage. */
  readonly rows: number;
  readonly quotes: number;
  /** Whether the database took the last of them. */
  readonly isReached: boolean;
}

/** Stores that outlive a restart; each opens on first use. */
export interface Stores {
  /** @throws Error when they cannot be read, or were made with another pepper */
  keys(): Promise<KeptKeys>;
  /** @throws Error when it cannot be used */
  usage(): Promise<UsageDatabase>;
  /** @throws Error when they cannot be used */
  quotes(): Promise<QuoteLog>;
  /** `onFault` is told when the switches cannot be read. @throws Error when they cannot be at first */
  switches(onFault?: (error: unknown) => void): Promise<SwitchRecord>;
  /** Undefined where nothing ever waits. */
  waiting(): Waiting | undefined;
  /** Closes what was opened, and ends what the parts share. */
  close(): Promise<void>;
}
