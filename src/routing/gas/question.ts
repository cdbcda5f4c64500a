import type { Room } from "../bound/most-earned.ts";
import type { Search } from "../session/search.ts";

/** A trade of which is to be proven what it is worth at most. */
export interface Question {
  readonly search: Search;
  /** At most what is sold. */
  readonly amount: number;
  readonly room: Room;
}
