import type { ServerBounds } from "../limits/bounds.ts";
import type { Ledger, Rate } from "../limits/ledger.ts";
import type { Connection } from "./connection.ts";

/** Seconds' worth of bytes that may come at once. */
const BURST_SECONDS = 2;

/** Bytes that one address or key has sent since the last check. */
interface Sender {
  readonly rate: Rate;
  readonly isKeyless: boolean;
  readonly connections: Connection[];
  bytes: number;
}

/**
 * Bounds what is read from callers. Parsers read on whatever comes, and much of that is no request: pings, window updates,
 * blank lines, bodies in chunks of a byte.
 */
export interface BytesRead {
  /** Charges what has come since the last look. @returns the connections of those who have sent too much */
  look(connections: Iterable<Connection>): readonly Connection[];
  /** Whether a network has sent more than it may without a key. */
  isSpent(network: string): boolean;
}

/** @param now milliseconds, never going back */
export function createBytesRead(
  ledger: Ledger,
  bounds: ServerBounds["bytes"],
  now: () => number = () => performance.now(),
): BytesRead {
  const rate = (what: string, who: string, perSecond: number): Rate => ({
    ...{ what, who, perSecond },
    burst: perSecond * BURST_SECONDS,
  });
  const ofNetwork = (network: string) => rate("bytes of an address", network, bounds.keylessPerSecondAndAddress);
  const ofKey = (keyId: string) => rate("bytes of a key", keyId, bounds.perSecondAndKey);
  let lookedAt = now();
  const keyless = rate("bytes without a key", "", bounds.keylessPerSecond);

  function sendersAmong(connections: Iterable<Connection>): readonly Sender[] {
    const senders = new Map<string, Sender>();
    for (const connection of connections) {
      const bytes = connection.isProxy ? 0 : connection.takeBytes();
      if (bytes === 0) continue;
      const { keyId, network } = connection;
      const isKeyless = keyId === undefined;
      const rate = isKeyless ? ofNetwork(network) : ofKey(keyId);
      const name = `${rate.what} ${rate.who}`;
      const sender = senders.get(name) ?? { rate, isKeyless, connections: [], bytes: 0 };
      sender.bytes += bytes;
      sender.connections.push(connection);
      senders.set(name, sender);
    }
    return [...senders.values()];
  }

  return {
    look(connections) {
      const seconds = (now() - lookedAt) / 1_000;
      lookedAt += seconds * 1_000;
      const senders = sendersAmong(connections);
      const keylessSenders = senders.filter(({ isKeyless }) => isKeyless);
      const all = keylessSenders.reduce((sum, { bytes }) => sum + bytes, 0);
      const isCrowded = all > 0 && !ledger.owe(keyless, all);
      // If all together send too much, those that send more than their part are cut.
      const part = isCrowded ? (bounds.keylessPerSecond * seconds) / keylessSenders.length : Number.POSITIVE_INFINITY;
      return senders
        .filter(({ rate, isKeyless, bytes }) => !ledger.owe(rate, bytes) || (isKeyless && bytes > part))
        .flatMap((sender) => sender.connections);
    },
    isSpent: (network) => ledger.isSpent(ofNetwork(network)),
  };
}
