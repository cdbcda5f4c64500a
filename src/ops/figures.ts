import { Counter, Gauge, type Registry } from "prom-client";

/** Name and help of a metric. */
type Told = readonly [name: string, help: string];

/** Gauges of figures, with name and help of each, that are asked for with every scrape. */
export function addGauges<F extends string>(
  registry: Registry,
  gauges: Readonly<Record<F, Told>>,
  read: () => Readonly<Record<NoInfer<F>, number>>,
): void {
  for (const [figure, [name, help]] of Object.entries(gauges) as [F, Told][]) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read()[figure]);
      },
    });
  }
}

/** Counters of figures that only grow, with name and help of each, that are asked for with every scrape. */
export function addCounters<F extends string>(
  registry: Registry,
  counters: Readonly<Record<F, Told>>,
  read: () => Readonly<Record<NoInfer<F>, number>>,
): void {
  for (const [figure, [name, help]] of Object.entries(counters) as [F, Told][]) {
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read()[figure]);
      },
    });
  }
}
