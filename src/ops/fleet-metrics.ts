import { Gauge, type Registry } from "prom-client";
import { addCounters, addGauges } from "./figures.ts";

/** Role and counters of one process in its fleet, for the metrics. */
export interface FleetMetrics {
  readonly role: "leading" | "following";
  /** Fencing token of the lease that the process holds; 0: none. */
  readonly token: number;
  readonly led: number;
  /** Milliseconds from an entry's writing to its arrival. */
  readonly delayMs: number;
  /** Milliseconds since the last entry came; infinite: none has. */
  readonly silentMs: number;
  readonly wholes: number;
  readonly bytes: number;
  readonly isReachable: boolean;
  readonly processes: number;
  readonly limitsAreLocal: boolean;
  readonly decidedLocally: number;
}

const GAUGES = {
  token: ["tributary_fleet_lease_token", "Fencing token of the lease that this process holds; 0: it holds none"],
  delaySeconds: ["tributary_fleet_feed_lag_seconds", "From the writing of the feed's last entry to its arrival here"],
  silentSeconds: ["tributary_fleet_feed_silence_seconds", "Since the feed's last entry came; 0 while leading"],
  reachable: ["tributary_fleet_redis_reachable", "1 while Redis answers"],
  processes: ["tributary_fleet_processes", "Processes of the fleet when Redis last answered"],
  limitsLocal: ["tributary_fleet_limits_local", "1 while limits are this process's part, since Redis cannot be asked"],
} as const;

const COUNTERS = {
  led: ["tributary_fleet_leaderships_total", "Times that this process began to follow the chain for the fleet"],
  wholes: [
    "tributary_fleet_feed_wholes_total",
    "Whole states that were taken from Redis: at the start and after breaks",
  ],
  bytes: ["tributary_fleet_feed_received_bytes_total", "Bytes of the feed that came"],
  decidedLocally: ["tributary_fleet_limits_local_total", "Decisions of limits that were this process's own"],
} as const;

/** Measures a fleet from one of its processes, asked for with every scrape. */
export function addFleetMetrics(registry: Registry, read: () => FleetMetrics): void {
  addGauges(registry, GAUGES, () => {
    const { role, token, delayMs, silentMs, isReachable, processes, limitsAreLocal } = read();
    const isSilent = role === "following" && Number.isFinite(silentMs);
    return {
      ...{ token, processes, delaySeconds: delayMs / 1_000, silentSeconds: isSilent ? silentMs / 1_000 : 0 },
      ...{ reachable: Number(isReachable), limitsLocal: Number(limitsAreLocal) },
    };
  });
  addCounters(registry, COUNTERS, read);
  new Gauge({
    name: "tributary_fleet_role",
    help: "1 for what the process does: leading (follows the chain) or following (applies the feed)",
    labelNames: ["role"],
    registers: [registry],
    collect() {
      for (const role of ["leading", "following"] as const) this.set({ role }, Number(read().role === role));
    },
  });
}
