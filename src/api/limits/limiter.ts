import type { RateLimit } from "../keys/key-store.ts";
import type { Decision } from "./gcra.ts";

/** Counts what accounts use. Several processes that serve the same accounts would share one. */
export interface Limiter {
  /** Takes `cost` units of an account's limit, all or none. A failing limiter rejects. */
  take(account: string, limit: RateLimit, cost: number): Decision | Promise<Decision>;
  /** Takes `cost` units for what has been done already, whether or not they are there. */
  debit(account: string, limit: RateLimit, cost: number): Decision | Promise<Decision>;
}
