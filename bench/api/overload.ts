import { Agent, request as httpRequest } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { quantile } from "../quantile.ts";
import { fresh, type Target } from "./load.ts";

/** Callers at once: as many as are let in (MAX_SEARCHES and MAX_WAITING), and so many that most are refused. */
const WITHIN = 96;
const BEYOND = 400;
const RUN_MS = 8_000;
/** Milliseconds until a refused caller comes back: sooner than it was told to. */
const BACK_AFTER_MS = 100;

/** Milliseconds that each answer took, by its HTTP status. */
type Latencies = Map<number, number[]>;

function send(agent: Agent, { port, key }: Target, query: URLSearchParams): Promise<number> {
  const options = { agent, host: "127.0.0.1", port, path: `/swap/v1/price?${query}`, headers: { "api-key": key } };
  return new Promise((resolve, reject) => {
    const call = httpRequest(options, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
    });
    call.once("error", reject);
    call.end();
  });
}

/** Searches for as many prices as `callers` can ask for, one after the other, for a while. */
async function run(target: Target, callers: number): Promise<Latencies> {
  const agent = new Agent({ keepAlive: true });
  const next = fresh(target.request);
  const latencies: Latencies = new Map();
  const until = Date.now() + RUN_MS;
  const caller = async () => {
    while (Date.now() < until) {
      const start = performance.now();
      const status = await send(agent, target, new URLSearchParams(next()));
      latencies.set(status, [...(latencies.get(status) ?? []), performance.now() - start]);
      if (status === 503) await wait(BACK_AFTER_MS);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  agent.destroy();
  return latencies;
}

/** Prints how long those who are let in wait when far more come than can be served, and how soon the others are told. */
export async function showOverload(target: Target): Promise<void> {
  await run(target, WITHIN);
  const served = (await run(target, WITHIN)).get(200) ?? [];
  const beyond = await run(target, BEYOND);
  const [accepted, refused] = [beyond.get(200) ?? [], beyond.get(503) ?? []];
  const others = [...beyond.keys()].filter((status) => status !== 200 && status !== 503);
  const times = (share: number) => (quantile(accepted, share) / quantile(served, share)).toFixed(1);
  console.log(`\nOverload: ${BEYOND} callers at once instead of ${WITHIN}, new amounts each time`);
  console.log(`accepted ${accepted.length} (${served.length} before), refused with 503 ${refused.length}`);
  console.log(`other answers: ${others.length === 0 ? "none" : others.join(", ")}`);
  console.log(
    `time of an accepted call: ${times(0.5)} times (median), ${times(0.99)} times (99 %) that without overload`,
  );
  const quick = quantile(refused, 0.5) / quantile(accepted, 0.5);
  console.log(`a refusal comes after ${quick.toFixed(2)} times the time of an accepted call (median)`);
}
