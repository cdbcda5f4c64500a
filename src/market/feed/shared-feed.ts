/** Holder of the right to publish the fleet's feed. */
export type Lease =
  /** This process. `token` is greater than that of every lease before. */
  | { readonly state: "held"; readonly token: number }
  /** Another process, or none at the moment. */
  | { readonly state: "elsewhere" }
  /** Nobody knows: what the lease is kept in cannot be reached. */
  | { readonly state: "unknown" };

/** Request from a process that only applies the feed to the one that follows the chain. */
export type Question =
  /** Somebody has asked for these tokens: their pools are to be followed. */
  | { readonly kind: "want"; readonly tokens: readonly string[] }
  /** Routes over these pools have failed. */
  | { readonly kind: "recheck"; readonly pools: readonly string[] }
  /** These tokens were found not to move exactly. */
  | { readonly kind: "test"; readonly tokens: readonly string[] };

/** Follows what is told. */
export interface FeedReader {
  /** A whole state follows, whatever was told before. */
  begin(): void;
  /**
   * Takes an entry that was written `ageMs` ago, by one clock for all.
   * @returns whether it follows on the one before; if not, a whole state is told
   */
  take(entry: Uint8Array, ageMs: number): boolean;
  /** All that is kept was told, and nothing was: there is no state yet. */
  nothing(): void;
}

/** The market's feed between processes, and the lease of the one that tells it. What is kept outlives every process. */
export interface SharedFeed {
  readonly lease: Lease;
  /** Calls `listener` whenever the lease changes; returns what ends that. */
  onLease(listener: () => void): () => void;
  /** Whether this process takes the lease when nobody holds it. */
  compete(wants: boolean): void;
  /**
   * Tells an entry. @returns its id
   * @throws LeaseLostError where a lease was given out since the one with this token has ended
   */
  append(token: number, entry: Uint8Array): Promise<string>;
  /**
   * Keeps a whole state for those who begin to follow. What follows on it stands after the entry `after`; undefined: after all
   * that was told so far.
   * @throws LeaseLostError as above
   */
  keepWhole(token: number, entries: readonly Uint8Array[], after: string | undefined): Promise<void>;
  /** Tells a whole state and all that follows on it, again from a whole one after every break; returns what ends that. */
  follow(reader: FeedReader): () => void;
  /** Asks whoever holds the lease. It may get lost. */
  ask(question: Question): void;
  /** Calls `listener` with each question; returns what ends that. */
  onQuestion(listener: (question: Question) => void): () => void;
}

/** The lease under which something was to be told has ended: another process may tell by now. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";

  constructor(token: number) {
    super(`lease ${token} is over: nothing was told`);
  }
}
