/** Revert errors of a venue's contracts, as data: for those who put it into words. */
export interface VenueErrors {
  /** Custom errors as Solidity declares them: "PoolPaused(address pool)". */
  readonly declared?: readonly string[];
  /** Texts of Error(string), each with what it means. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Errors around another one's bytes: the argument that has these, and the one that names the contract which they came from. */
  readonly wrappers?: readonly {
    readonly declared: string;
    readonly reason: number;
    readonly target?: number;
  }[];
  /** Why its contracts revert without any bytes; absent where they do not. */
  readonly silent?: string;
}

/** A venue by the name that it has in the API, with its errors. */
export interface ErrorsOfVenue {
  readonly id: string;
  readonly errors?: VenueErrors;
}
