import { type Decision, decide } from "./gcra.ts";

/** A bound on what one holder may have open at a time. */
export interface Bound {
  /** Things that are counted, for example "connections of an address". */
  readonly what: string;
  /** Owner: an address, a key, a connection; "" for all together. */
  readonly who: string;
  readonly most: number;
}

/** A bound on how often one holder may do something. */
export interface Rate {
  readonly what: string;
  readonly who: string;
  /** 0: as often as it likes. */
  readonly perSecond: number;
  /** Number that may come at once. */
  readonly burst: number;
}

/** Rates that are remembered; those that were used longest ago are forgotten first. */
const MAX_RATES = 50_000;

/** A debt is no longer than so many bursts take to come back. */
const MAX_DEBT = 5;

/**
 * Every count that the API bounds: per connection, per address, per key and in total. What is open is held until it is
 * released; what happens is spent, and comes back with time.
 */
export interface Ledger {
  /** Counts one more under all bounds, or under none. @returns what gives it back, or the first bound that has no room */
  hold(bounds: readonly Bound[]): (() => void) | { readonly full: Bound };
  held(what: string, who: string): number;
  /** Takes units of a rate, all or none. */
  spend(rate: Rate, units?: number): Decision;
  /** Takes units that were used already: what is left may fall below nothing. @returns whether it did not */
  owe(rate: Rate, units?: number): boolean;
  /** Whether nothing is left of a rate now. */
  isSpent(rate: Rate): boolean;
  /** Gives back what was spent and turned out to cost nothing. */
  refund(rate: Rate): void;
}

const UNBOUNDED: Decision = { allowed: true, remaining: Number.POSITIVE_INFINITY, fullAfterMs: 0, retryAfterMs: 0 };

const nameOf = ({ what, who }: { readonly what: string; readonly who: string }) => `${what} ${who}`;

/** @param now milliseconds, never going back */
export function createLedger(now: () => number = () => performance.now()): Ledger {
  const counts = new Map<string, number>();
  /** When each rate has all of its units again, in the order of their last use. */
  const fullAt = new Map<string, number>();

  function keep(name: string, full: number): void {
    fullAt.delete(name);
    fullAt.set(name, full);
    for (const [oldest, at] of fullAt) {
      if (at > now() && fullAt.size <= MAX_RATES) break;
      fullAt.delete(oldest);
    }
  }

  function release(name: string): void {
    const left = (counts.get(name) ?? 0) - 1;
    if (left > 0) counts.set(name, left);
    else counts.delete(name);
  }

  return {
    hold(bounds) {
      const full = bounds.find((bound) => (counts.get(nameOf(bound)) ?? 0) >= bound.most);
      if (full !== undefined) return { full };
      const names = bounds.map(nameOf);
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
      return () => {
        for (const name of names.splice(0)) release(name);
      };
    },
    held: (what, who) => counts.get(nameOf({ what, who })) ?? 0,
    spend(rate, units = 1) {
      if (rate.perSecond === 0) return UNBOUNDED;
      const name = nameOf(rate);
      const { decision, fullAt: full } = decide(fullAt.get(name), limitOf(rate), units, now());
      keep(name, full);
      return decision;
    },
    owe(rate, units = 1) {
      if (rate.perSecond === 0) return true;
      const name = nameOf(rate);
      const spanMs = (rate.burst / rate.perSecond) * 1_000;
      const full = Math.max(fullAt.get(name) ?? 0, now()) + (units * 1_000) / rate.perSecond;
      keep(name, Math.min(full, now() + spanMs * MAX_DEBT));
      return full - now() <= spanMs;
    },
    isSpent(rate) {
      if (rate.perSecond === 0) return false;
      return !decide(fullAt.get(nameOf(rate)), limitOf(rate), 1, now()).decision.allowed;
    },
    refund(rate) {
      const name = nameOf(rate);
      const full = fullAt.get(name);
      if (full !== undefined) fullAt.set(name, full - 1_000 / rate.perSecond);
    },
  };
}

function limitOf({ perSecond, burst }: Rate) {
  return { unitsPerSecond: perSecond, burst };
}
