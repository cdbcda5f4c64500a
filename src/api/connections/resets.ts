import type { Ledger, Rate } from "../limits/ledger.ts";
import type { Connection } from "./connection.ts";

/** Seconds' worth of resets that may come at once. */
const BURST_SECONDS = 2;

/** The part of an address's resets that one connection without a key may have: nobody waits for answers on it. */
const KEYLESS_PART = 10;

/** Resets of all addresses without a key together, as a multiple of one's. */
const ALL_FACTOR = 5;

/** Seconds' worth of resets that an address is charged for a connection that floods: the next one would do the same. */
const FLOOD_SECONDS = 5;

/** Bounds how many HTTP/2 streams callers take back before they are answered. */
export interface Resets {
  /** Counts one that came over a connection, from a network. @returns whether the connection may stay */
  count(connection: Connection, network: string): boolean;
  /** Charges a network for a connection that was cut for a flood. */
  chargeFlood(network: string): void;
  /** Whether a network has reset more streams than it may. */
  isSpent(network: string): boolean;
}

/** @param perSecond resets of one address; 0: as many as it likes */
export function createResets(ledger: Ledger, perSecond: number): Resets {
  const rate = (what: string, who: string, each: number): Rate => ({
    ...{ what, who, perSecond: each },
    burst: Math.max(1, each * BURST_SECONDS),
  });
  const ofNetwork = (network: string) => rate("resets", network, perSecond);
  const keyless = rate("resets without a key", "", perSecond * ALL_FACTOR);
  const chargeFlood = (network: string) => void ledger.owe(ofNetwork(network), perSecond * FLOOD_SECONDS);
  return {
    count(connection, network) {
      const isWithin = ledger.owe(ofNetwork(network));
      if (connection.isProxy) return true;
      if (connection.keyId !== undefined) return isWithin;
      const own = rate("resets of a connection", connection.id, perSecond / KEYLESS_PART);
      const [isOwnWithin, isAllWithin] = [ledger.owe(own), ledger.owe(keyless)];
      if (!isOwnWithin) chargeFlood(network);
      return isWithin && isOwnWithin && isAllWithin;
    },
    chargeFlood,
    isSpent: (network) => ledger.isSpent(ofNetwork(network)),
  };
}
