import { keccak256 } from "viem";
import type { Hex } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";

/** Logs blooms of block headers (Ethereum yellow paper, 4.4.3): 2,048 bits, three for each address and topic. */
export interface Blooms {
  /** Whether a bloom may hold an address or topic; false is certain. */
  mayHold(bloom: Hex, entry: Hex): boolean;
  /** The bloom of exactly these logs. */
  of(logs: readonly Log[]): Hex;
  /** A bloom of no logs yet. */
  begin(): BloomOfLogs;
}

/** A bloom that logs are added to one by one. */
export interface BloomOfLogs {
  add(log: Log): void;
  bloom(): Hex;
}

/** Entries remembered; the addresses and topics of a chain's logs repeat from block to block. */
const MAX_REMEMBERED = 50_000;

/** Computes blooms and remembers the bits of what it has seen. */
export function createBlooms(): Blooms {
  const remembered = new Map<Hex, readonly number[]>();

  function bitsOf(entry: Hex): readonly number[] {
    const known = remembered.get(entry);
    if (known !== undefined) return known;
    const hash = keccak256(entry);
    const bits = [2, 6, 10].map((at) => Number.parseInt(hash.slice(at, at + 4), 16) & 2047);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(entry, bits);
    return bits;
  }

  function begin(): BloomOfLogs {
    const digits = new Uint8Array(512);
    const add = (entry: Hex) => {
      for (const bit of bitsOf(entry)) digits[511 - (bit >> 2)]! |= 1 << (bit & 3);
    };
    return {
      add({ address, topics }) {
        add(address);
        topics.forEach(add);
      },
      bloom: () => `0x${Array.from(digits, (digit) => digit.toString(16)).join("")}`,
    };
  }

  return {
    mayHold(bloom, entry) {
      return bitsOf(entry).every((bit) => {
        const digit = Number.parseInt(bloom.charAt(2 + 511 - (bit >> 2)), 16);
        return (digit & (1 << (bit & 3))) !== 0;
      });
    },
    of(logs) {
      const bloom = begin();
      for (const log of logs) bloom.add(log);
      return bloom.bloom();
    },
    begin,
  };
}
