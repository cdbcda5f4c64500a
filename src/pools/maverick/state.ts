/** Holdings of one tick, in units of 18 decimals whatever its tokens have. Below the active tick it holds A alone, above it B. */
export interface MaverickTick {
  readonly index: number;
  readonly reserveA: bigint;
  readonly reserveB: bigint;
}

/** A pool of Maverick V2 at one block. Token 0 is token A, token 1 token B; a sale of A moves up the ticks. */
export interface MaverickState {
  /** Price of a tick's upper end over that of its lower one, as a power of 1.0001. */
  readonly tickSpacing: number;
  readonly activeTick: number;
  /** Fee in parts of 10^18 of what goes in: where token A does, where token B does. */
  readonly fees: readonly [bigint, bigint];
  /** Part of a fee that leaves the ticks for the protocol, of 1,000. */
  readonly protocolPart: number;
  /** Units of 18 decimals in a base unit of either token. */
  readonly scales: readonly [bigint, bigint];
  /** Ticks that hold anything, ascending, as far from the active one as they are read. */
  readonly ticks: readonly MaverickTick[];
  /** Some of its bins move at the end of a swap, by the time: a second swap in one transaction finds ticks that nobody knows. */
  readonly movable?: true;
  /** Bins may have moved since: nothing is traded any more. */
  readonly spent?: true;
}
