import type { Logger } from "../ops/logger.ts";

/** Background trades. */
export interface Traffic {
  stop(): Promise<void>;
}

export function startTraffic(logger: Logger | undefined): Traffic {
  logger?.info("traffic is on");
  return { stop: async () => {} };
}
