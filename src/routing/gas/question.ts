import type { Room } from "../bound/most-earned.ts";
import type { Goal } from "../flow/goal.ts";
import type { Session } from "../session/session.ts";

/** A trade of which is to be proven what it is worth at most. */
export interface Question {
  readonly session: Session;
  readonly goal: Goal;
  /** At most what is sold. */
  readonly amount: number;
  readonly room: Room;
}
