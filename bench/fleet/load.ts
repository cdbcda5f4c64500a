import { setTimeout as sleep } from "node:timers/promises";
import type { Replica } from "../../fixtures/fleet/fleet.ts";
import { cpuSeconds, type Place, pricePath } from "./place.ts";

const CALLERS = 16;
/** The compilers of every process are busy with what is new for so long, and what nobody asks for is measured then. */
const WARM_SECONDS = Number(process.env.WARM ?? 10);
const IDLE_SECONDS = 10;
/** Searches beside requests take what is left of the machine: they would count as the requests'. */
const { DEEP_SEARCHES = "0" } = process.env;

/**
 * Uncached prices that so many replicas give in a time, asked for in turn by callers that never rest, and their CPU. What each
 * replica uses when nobody asks is told beside it.
 */
export async function measureLoad(place: Place, count: number, seconds: number): Promise<void> {
  const { world, replicas } = await place.fleet(count, { SEARCH_THREADS: "1", DEEP_SEARCHES });
  let asked = 0;
  const askFor = async (period: number) => {
    const end = performance.now() + period * 1_000;
    const from = asked;
    let answered = 0;
    const caller = async () => {
      while (performance.now() < end) {
        asked += 1;
        const { status } = await replicas[asked % count]!.ask(pricePath(place.devnet, asked));
        if (status === 200) answered += 1;
      }
    };
    const before = await Promise.all(replicas.map(cpuSeconds));
    await Promise.all(Array.from({ length: CALLERS }, caller));
    return { answered, refused: asked - from - answered, cpu: await cpuSince(replicas, before) };
  };
  try {
    await askFor(WARM_SECONDS);
    const resting = await Promise.all(replicas.map(cpuSeconds));
    await sleep(IDLE_SECONDS * 1_000);
    const idle = (((await cpuSince(replicas, resting)) / IDLE_SECONDS / count) * 100).toFixed(1);
    const { answered, refused, cpu } = await askFor(seconds);
    const perSecond = (answered / seconds).toFixed(1);
    const perPrice = ((cpu * 1_000) / answered).toFixed(1);
    console.log(
      `load: ${count} replicas: ${perSecond} prices/s, ${perPrice} ms of CPU each; ${refused} refused; ${idle} % of a core per replica when nobody asks`,
    );
  } finally {
    await world.close();
  }
}

async function cpuSince(replicas: readonly Replica[], before: readonly number[]): Promise<number> {
  const after = await Promise.all(replicas.map(cpuSeconds));
  return after.reduce((sum, each, index) => sum + each - before[index]!, 0);
}
