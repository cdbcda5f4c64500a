import { Worker } from "node:worker_threads";
import type { PeerUniverse } from "../../../fixtures/universes/priced.ts";
import type { PlannedPath } from "../meeting/replay.ts";
import type { PeerRequest } from "../meeting/requests.ts";
import type { RequestBegan } from "./watchdog.ts";

/** Milliseconds of a call by the clock, and what the processor spent on it. */
export interface Spent {
  readonly wall: number;
  readonly cpu: number;
}

/** A peer's plan, in its own order of paths; undefined when it has no route. `spent` is for its own call alone. */
export interface PlanAnswer {
  readonly plan: readonly PlannedPath[] | undefined;
  readonly spent: Spent;
}

export type Adapter<Answer> = (request: PeerRequest) => Promise<Answer>;

/** Message to an adapter: first a universe and the processor time per request, then requests. */
export type ToAdapter = { readonly universe: PeerUniverse; readonly capMs: number } | { readonly request: PeerRequest };

/** Runs an adapter in its process: takes the universe once, then answers one request after another. */
export function serve<Answer extends object>(
  setUp: (universe: PeerUniverse) => Adapter<Answer> | Promise<Adapter<Answer>>,
): void {
  const began: RequestBegan = new Float64Array(new SharedArrayBuffer(8));
  let adapter: Adapter<Answer> | undefined;
  const answer = async (message: ToAdapter): Promise<object> => {
    if ("universe" in message) {
      adapter = await setUp(message.universe);
      new Worker(new URL("watchdog.ts", import.meta.url), { workerData: { began, capMs: message.capMs } });
      return { ready: true };
    }
    if (adapter === undefined) throw new Error("no universe yet");
    const { user, system } = process.cpuUsage();
    began[0] = (user + system) / 1000;
    try {
      return await adapter(message.request);
    } finally {
      began[0] = 0;
    }
  };
  process.on("message", (message: ToAdapter) => {
    answer(message).then(
      (sent) => process.send?.(sent),
      (error: unknown) =>
        process.send?.({ failed: String(error instanceof Error ? error.message : error).slice(0, 200) }),
    );
  });
  process.on("disconnect", () => process.exit(0));
}

/** Result or error of `call`, and the time it took. */
export async function timed<T>(
  call: () => T | Promise<T>,
): Promise<{ readonly result?: T; readonly error?: unknown; readonly spent: Spent }> {
  const [start, used] = [performance.now(), process.cpuUsage()];
  const watch = (): Spent => {
    const { user, system } = process.cpuUsage(used);
    return { wall: performance.now() - start, cpu: (user + system) / 1000 };
  };
  try {
    const result = await call();
    return { result, spent: watch() };
  } catch (error) {
    return { error, spent: watch() };
  }
}

/** Addresses under which a peer's own lists know the universe's chief tokens, and the way back. */
export function renaming(pairs: readonly (readonly [string | undefined, string])[]): {
  readonly to: (address: string) => string;
  readonly from: (address: string) => string;
} {
  const there = new Map(
    pairs.flatMap(([from, to]): [string, string][] => (from === undefined ? [] : [[from, to.toLowerCase()]])),
  );
  const back = new Map([...there].map(([from, to]) => [to, from]));
  return {
    to: (address) => there.get(address) ?? address,
    from: (address) => back.get(address.toLowerCase()) ?? address.toLowerCase(),
  };
}
