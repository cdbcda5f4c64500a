import { Counter, Gauge, type Registry } from "prom-client";

/** State of one reference feed, for the metrics. */
export interface ReferenceReading {
  readonly token: string;
  readonly source: string;
  readonly state: string;
  readonly ageSeconds: number | null;
}

/** Measures the price guard: its feeds with every scrape, checks as they are told. */
export function addGuardMetrics(
  registry: Registry,
  ends: readonly string[],
  read: () => readonly ReferenceReading[],
): { ended(end: string): void } {
  const registers = [registry];
  const checks = new Counter({
    name: "tributary_price_guard_checks_total",
    help: "Prices and quotes held against reference prices, by how that ended",
    labelNames: ["end"],
    registers,
  });
  for (const end of ends) checks.inc({ end }, 0);
  new Gauge({
    name: "tributary_price_guard_feed_fresh",
    help: "1 while the feed has a fresh price of the token",
    labelNames: ["token", "source"],
    registers,
    collect() {
      for (const { token, source, state } of read()) this.set({ token, source }, Number(state === "fresh"));
    },
  });
  new Gauge({
    name: "tributary_price_guard_feed_age_seconds",
    help: "Age of the feed's last price",
    labelNames: ["token", "source"],
    registers,
    collect() {
      this.reset();
      for (const { token, source, ageSeconds } of read())
        if (ageSeconds !== null) this.set({ token, source }, ageSeconds);
    },
  });
  return { ended: (end) => checks.inc({ end }) };
}
