import type { Hex } from "viem";
import type { Logger } from "../../ops/logger.ts";
import type { JsonRpc } from "../node/json-rpc.ts";
import type { Trader } from "./trader.ts";

/** Background trades. */
export interface Traffic {
  /** Settles when nothing is sent any more. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 200;

/** Lets the trader trade once for every block. What goes wrong is logged and tried again with the next block. */
export function startTraffic(rpc: JsonRpc, trader: Trader, logger: Logger | undefined): Traffic {
  let stopped = false;
  let wake = () => {};
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_EVERY_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    let seen: Hex | undefined;
    while (!stopped) {
      try {
        const head = await rpc.call<Hex>("eth_blockNumber");
        if (head !== seen && !stopped) {
          seen = head;
          await trader.trade();
        }
      } catch (error) {
        if (!stopped) logger?.warn({ err: error }, "a background trade of the devnet failed");
      }
      if (!stopped) await pause();
    }
  };
  const ended = run();
  return {
    stop: async () => {
      stopped = true;
      wake();
      await ended;
    },
  };
}
