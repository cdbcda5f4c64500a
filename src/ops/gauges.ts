import { Gauge, type Registry } from "prom-client";

/** Gauges of figures, with name and help of each, that are asked for with every scrape. */
export function addGauges<F extends string>(
  registry: Registry,
  gauges: Readonly<Record<F, readonly [name: string, help: string]>>,
  read: () => Readonly<Record<F, number>>,
): void {
  for (const [figure, [name, help]] of Object.entries(gauges) as [F, readonly [string, string]][]) {
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
