import { randomBytes } from "node:crypto";
import type { Limiter } from "../../api/limits/limiter.ts";
import type { SharedFeed } from "../../market/feed/shared-feed.ts";
import { createMemoryLimiter } from "../memory/limiter.ts";
import { connect, keyNames, type RedisOptions } from "./connection.ts";
import { createRedisLimiter } from "./limiter.ts";
import { ShareLimiter } from "./local-share.ts";
import { MarketStream } from "./market-stream.ts";
import { Pulse } from "./pulse.ts";
import { REVOKE } from "./scripts.ts";

/** Milliseconds that a command may take: of limits, which callers wait for; of beats; of all that is told; of reading. */
const COMMAND_MS = { limits: 1_000, beats: 1_000, telling: 5_000, reading: 5_000 };

/** Memory that a process shares with its fleet over Redis. */
export interface SharedMemory {
  readonly feed: SharedFeed;
  readonly limiter: Limiter;
  isRevoked(keyId: string): boolean;
  figures(): {
    readonly isReachable: boolean;
    /** Processes of the fleet when it last answered. */
    readonly processes: number;
    readonly limitsAreLocal: boolean;
    readonly decidedLocally: number;
  };
  /** Gives the lease back and ends all connections. */
  close(): Promise<void>;
}

/** @param leaseMs how long a lease outlasts its holder's last beat */
export function openSharedMemory(place: RedisOptions, leaseMs: number): SharedMemory {
  const { logger } = place;
  const names = keyNames(place);
  const connections = {
    limits: connect(place, COMMAND_MS.limits),
    beats: connect(place, COMMAND_MS.beats),
    writing: connect(place, COMMAND_MS.telling),
    reading: connect(place, COMMAND_MS.reading),
    hearing: connect(place, COMMAND_MS.telling),
  };
  const pulse = new Pulse(connections.beats, names, { id: randomBytes(9).toString("base64url"), leaseMs });
  const limiter = new ShareLimiter({
    shared: createRedisLimiter(connections.limits, names),
    own: createMemoryLimiter(),
    processes: () => pulse.processes,
    logger,
  });
  return {
    feed: new MarketStream({ connections, names, pulse, logger }),
    limiter,
    isRevoked: (keyId) => pulse.isRevoked(keyId),
    figures() {
      const { isLocal: limitsAreLocal, decidedLocally } = limiter.figures();
      return { isReachable: pulse.isReachable, processes: pulse.processes, limitsAreLocal, decidedLocally };
    },
    async close() {
      await pulse.leave();
      for (const connection of Object.values(connections)) connection.disconnect();
    },
  };
}

/** Revokes a key in every process of a fleet. @throws what Redis fails with */
export async function revokeInFleet(place: RedisOptions, keyId: string): Promise<void> {
  const redis = connect(place, COMMAND_MS.telling);
  try {
    await new Promise<void>((resolve, reject) => {
      redis.once("ready", resolve);
      redis.once("error", reject);
    });
    await redis.eval(REVOKE, 1, keyNames(place).revoked, keyId);
  } finally {
    redis.disconnect();
  }
}
