/** One who wants an amount of a token, in floats. */
export interface Want {
  readonly amount: number;
}

/** What makes a token, and how much of it. */
export interface Producer {
  readonly buys: number;
  /** How much more or less it may make for next to nothing. */
  readonly play: number;
  /** How dear another touch of it is beside those of others. */
  readonly dear: number;
}

/** What a producer gives to one who wants it. */
export interface Piece<W extends Want, P extends Producer> {
  readonly want: W;
  readonly producer: P;
  readonly gives: number;
}
