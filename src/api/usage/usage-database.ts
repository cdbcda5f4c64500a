/** Number of calls of a method by a key in one minute, with one outcome. */
export interface UsageRow {
  /** Unix seconds of the start of the minute, or of the span that rows were added up over. */
  readonly minute: number;
  readonly keyId: string;
  /** Name of the service's method. */
  readonly method: string;
  /** "ok", or the kind of refusal that was answered; "ABANDONED" when the caller left before. */
  readonly outcome: string;
  readonly requests: number;
  /** Units that were charged. */
  readonly units: number;
}

/** Usage that is kept. Several services may add to it. */
export interface UsageDatabase {
  /** Adds all rows or none of them; what is added is kept when the call returns, and read within seconds. */
  add(rows: readonly UsageRow[]): void;
  /** Rows of the minutes from `from` to before `until`, unix seconds, added up over spans; by time, then key. */
  read(filter: {
    readonly from: number;
    readonly until: number;
    readonly keyId?: string | undefined;
    /** A multiple of 60; 60 without it. */
    readonly spanSeconds?: number;
  }): Promise<readonly UsageRow[]>;
  /** Takes away the oldest rows of before `minute`, unix seconds, at most so many. How many it took. */
  forget(minute: number, most: number): Promise<number>;
  /** The last minute that each key was used in, unix seconds. */
  lastUsed(): Promise<ReadonlyMap<string, number>>;
  close(): void;
}
