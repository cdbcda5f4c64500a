/**
 * Calls at a steady pace, from a thread of their own: what a call takes is then the service's and the machine's time, without the
 * time that the load's thread is busy with other answers.
 */
import { once } from "node:events";
import { Agent } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import type { Target } from "./load.ts";
import { type Answered, send } from "./timed-call.ts";

/** A call, and how often it is made, whether or not the last one has been answered. */
export interface Paced {
  readonly target: Target;
  readonly path: string;
  readonly everyMs: number;
}

interface Order {
  readonly calls: readonly Paced[];
  readonly ms: number;
}

/** Thread that makes calls at a steady pace. */
export class PacedCaller {
  readonly #worker = new Worker(fileURLToPath(import.meta.url));

  /** Makes all calls for some milliseconds; answers of each in their order. */
  async call(calls: readonly Paced[], ms: number): Promise<readonly (readonly Answered[])[]> {
    this.#worker.postMessage({ calls, ms } satisfies Order);
    const [answers] = (await once(this.#worker, "message")) as [readonly (readonly Answered[])[]];
    return answers;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

async function callAt({ target, path, everyMs }: Paced, end: number): Promise<readonly Answered[]> {
  const agent = new Agent({ keepAlive: true });
  const answers: Promise<Answered>[] = [];
  for (; Date.now() < end; await wait(everyMs)) answers.push(send(agent, target, path));
  const all = await Promise.all(answers);
  agent.destroy();
  return all;
}

if (!isMainThread)
  parentPort?.on("message", async ({ calls, ms }: Order) => {
    const end = Date.now() + ms;
    parentPort?.postMessage(await Promise.all(calls.map((call) => callAt(call, end))));
  });
