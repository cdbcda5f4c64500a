import type { GasEstimate } from "../answer/gas.ts";
import type { KnownGas } from "../answer/types.ts";
import { createFairQueue } from "../search/fair-queue.ts";
import { createFairTime } from "../search/fair-time.ts";

/** Milliseconds for which a simulation's gas stands for routes over the same pools. */
const LASTS_MS = 60_000;

/** Gas of one watched request, from block to block. */
export interface WatchedGas extends KnownGas {
  /** Nobody watches the request any more. */
  end(): void;
}

/** Simulations for the gas of watched requests: so many in a second, account after account. */
export interface SimulationTurns {
  /** `accountOf`: for whom the request is watched now. */
  gasFor(accountOf: () => string): WatchedGas;
}

interface Waiting {
  state: "none" | "waiting" | "granted";
}

/** `perSecond`: most simulations, over all requests; 0: none. `now`: milliseconds, never going back. */
export function createSimulationTurns(perSecond: number, now: () => number): SimulationTurns {
  const time = createFairTime();
  const queue = createFairQueue<Waiting>(time);
  const most = Math.max(1, perSecond);
  let left = most;
  let countedAt = now();

  function grant(): void {
    const at = now();
    left = Math.min(most, left + ((at - countedAt) / 1_000) * perSecond);
    countedAt = at;
    while (left >= 1) {
      const next = queue.next();
      if (next === undefined) return;
      left -= 1;
      next.item.state = "granted";
      time.served(next.who);
      time.charge(next.who, 1);
    }
  }

  return {
    gasFor(accountOf) {
      const own: Waiting = { state: "none" };
      let known: { readonly pools: string; readonly gas: GasEstimate; readonly until: number } | undefined;
      return {
        of: (pools) => (known?.pools === pools && now() < known.until ? known.gas : undefined),
        keep(pools, gas) {
          known = { pools, gas, until: now() + LASTS_MS };
        },
        mayProve() {
          if (perSecond === 0) return false;
          if (own.state === "none") {
            own.state = "waiting";
            queue.add(accountOf(), own);
          }
          grant();
          if (own.state !== "granted") return false;
          own.state = "none";
          return true;
        },
        end: () => void queue.drop((other) => other === own),
      };
    },
  };
}
