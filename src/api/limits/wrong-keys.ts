import { crc32 } from "node:zlib";
import { SwapError } from "../../domain/swap-error.ts";
import { decide } from "./gcra.ts";

/** Holds back network addresses that send wrong API keys. */
export interface WrongKeys {
  /**
   * What `look` finds for a key. An address that has sent too many wrong ones is not even looked at any more, except for
   * keys that were right before: whoever shares the address with a guesser goes on.
   * @throws SwapError TOO_MANY_REQUESTS, and what `look` throws
   */
  guard<T>(keyText: string, addressOf: () => string, look: () => T): T;
}

/** Addresses with wrong keys that are remembered; the oldest are forgotten first. */
const MOST_ADDRESSES = 10_000;

/** Keys that were right and are remembered, by a checksum: a wrong key that has the same is looked at, and no more. */
const MOST_KEYS = 10_000;

/** Segments of an IPv6 address that name its network: one subscriber has all the rest. */
const NETWORK_SEGMENTS = 4;

/**
 * @param perMinute wrong keys that an address may send at once, and again each minute; 0: as many as it likes
 * @param now milliseconds, never going back
 */
export function createWrongKeys(perMinute: number, now: () => number = () => performance.now()): WrongKeys {
  if (perMinute === 0) return { guard: (_key, _addressOf, look) => look() };
  const limit = { unitsPerSecond: perMinute / 60, burst: perMinute };
  const fullAt = new Map<string, number>();
  const right = new Set<number>();

  /** Addresses stand in the order of their last wrong key, so that those with nothing to wait for come first. */
  function forgetQuiet(): void {
    for (const [network, full] of fullAt) {
      if (full > now()) break;
      fullAt.delete(network);
    }
  }

  function holdBack(network: string, checksum: number): void {
    forgetQuiet();
    if (right.has(checksum)) return;
    const { allowed, retryAfterMs } = decide(fullAt.get(network), limit, 1, now()).decision;
    if (allowed) return;
    throw new SwapError("TOO_MANY_REQUESTS", "too many wrong API keys came from this network address - check the key", {
      reason: "TOO_MANY_WRONG_KEYS",
      retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1_000)),
    });
  }

  function countWrong(network: string): void {
    const { fullAt: next } = decide(fullAt.get(network), limit, 1, now());
    fullAt.delete(network);
    fullAt.set(network, next);
    dropOldest(fullAt, MOST_ADDRESSES);
  }

  return {
    guard(keyText, addressOf, look) {
      const checksum = crc32(keyText);
      if (fullAt.size > 0) holdBack(networkOf(addressOf()), checksum);
      try {
        const found = look();
        if (!right.has(checksum)) {
          right.add(checksum);
          dropOldest(right, MOST_KEYS);
        }
        return found;
      } catch (error) {
        if (error instanceof SwapError && error.kind === "UNAUTHENTICATED") {
          right.delete(checksum);
          countWrong(networkOf(addressOf()));
        }
        throw error;
      }
    },
  };
}

function dropOldest<K>(
  kept: { readonly size: number; keys(): Iterable<K>; delete(key: K): boolean },
  most: number,
): void {
  if (kept.size <= most) return;
  for (const oldest of kept.keys()) {
    kept.delete(oldest);
    return;
  }
}

/** The part of an address that its owner cannot change at will: all of IPv4, the first 64 bits of IPv6. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped !== null) return mapped[1]!;
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const segments = [...first, ...Array.from({ length: zeros }, () => "0"), ...last];
  return segments.slice(0, NETWORK_SEGMENTS).join(":");
}
