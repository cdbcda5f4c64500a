import { cpuSeconds, type Place, pricePath } from "./place.ts";

const CALLERS = 16;

/** Uncached prices that so many replicas give in a time, asked for in turn by callers that never rest, and their CPU. */
export async function measureLoad(place: Place, count: number, seconds: number): Promise<void> {
  const { world, replicas } = await place.fleet(count, { SEARCH_THREADS: "1" });
  try {
    const before = await Promise.all(replicas.map(cpuSeconds));
    const end = performance.now() + seconds * 1_000;
    let [asked, answered] = [0, 0];
    await Promise.all(
      Array.from({ length: CALLERS }, async () => {
        while (performance.now() < end) {
          asked += 1;
          const { status } = await replicas[asked % count]!.ask(pricePath(place.devnet, asked));
          if (status === 200) answered += 1;
        }
      }),
    );
    const after = await Promise.all(replicas.map(cpuSeconds));
    const cpu = after.reduce((sum, each, index) => sum + each - before[index]!, 0);
    const perSecond = (answered / seconds).toFixed(1);
    const perPrice = ((cpu * 1_000) / answered).toFixed(1);
    console.log(
      `load: ${count} replicas: ${perSecond} prices/s, ${perPrice} ms of CPU each; ${asked - answered} refused`,
    );
  } finally {
    await world.close();
  }
}
