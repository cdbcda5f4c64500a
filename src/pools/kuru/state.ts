/** All orders of one side of a book at one price. */
export interface KuruLevel {
  /** Price of the base token in the quote token, in parts of one over the market's price precision. */
  readonly price: bigint;
  /** Size in parts of one over the market's size precision; zero where its orders hold less than a part. */
  readonly size: bigint;
}

/** Next order of a market's vault on one side; the spread leads from it to each further one. */
export interface KuruVaultOrder {
  /** Price in parts of 10^18. */
  readonly price: bigint;
  /** Size of the whole order, as sizes of levels. */
  readonly size: bigint;
  /** Part of it that has been traded. */
  readonly filled: bigint;
}

/** Orders that a taker meets on one side of a market. */
export interface KuruSide {
  /** The best level first. */
  readonly levels: readonly KuruLevel[];
  /** Further levels may stand behind these: they are not read, and nothing behind the last one is traded. */
  readonly more?: true;
  /** Absent: the vault has no order on this side. */
  readonly vault?: KuruVaultOrder;
}

/** Side of a market, by its name in the state. */
export type KuruSideName = "bidSide" | "askSide";

/** A market of Kuru at one block. Token 0 is the base token, token 1 the quote token. */
export interface KuruState {
  /** Base units of one whole base token, and of one whole quote token. */
  readonly units: readonly [bigint, bigint];
  /** Parts of one whole token: sizes are counted in the first, prices and what a buyer brings in the second. */
  readonly precisions: readonly [bigint, bigint];
  /** Fee in parts of 10,000 of what a taker gets. */
  readonly takerFee: number;
  /** Step from one order of the vault to the next, in parts of 10,000. */
  readonly spread: number;
  /** Orders that base tokens are sold to. Nothing is known of them once base tokens were bought. */
  readonly bidSide: KuruSide;
  /** Orders that base tokens are bought from. Nothing is known of them once base tokens were sold. */
  readonly askSide: KuruSide;
}
