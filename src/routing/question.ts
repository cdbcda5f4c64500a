import type { Goal } from "./goal.ts";
import type { Room } from "./most-earned.ts";
import type { Session } from "./session.ts";

/** A trade of which is to be proven what it is worth at most. */
export interface Question {
  readonly session: Session;
  readonly goal: Goal;
  /** At most what is sold. */
  readonly amount: number;
  readonly room: Room;
  readonly crowd?: Crowd;
}

/** Where a trade wants more touches than a route may have. */
export interface Crowd {
  /** What each touch is charged besides its gas, in bought units: the multiplier of the limit. */
  readonly charge: number;
  /** How far a token's price may move, in the logarithm. */
  readonly reach: Room;
}
