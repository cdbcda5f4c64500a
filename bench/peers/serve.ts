import type { PlannedPath } from "./replay.ts";
import type { PeerRequest } from "./requests.ts";
import type { PeerUniverse } from "./universe.ts";

/** Milliseconds of a call by the clock, and what the processor spent on it. */
export interface Spent {
  readonly wall: number;
  readonly cpu: number;
}

/** A peer's plan, in its own order of paths; undefined when it has no route. `spent` is for its own call alone. */
export interface AdapterAnswer {
  readonly plan: readonly PlannedPath[] | undefined;
  readonly spent: Spent;
}

export type Adapter = (request: PeerRequest) => Promise<AdapterAnswer>;

/** What every adapter does the same in its process: take the universe once, then answer one request after another. */
export function serve(setUp: (universe: PeerUniverse) => Adapter | Promise<Adapter>): void {
  let adapter: Adapter | undefined;
  const answer = async (message: { universe?: PeerUniverse; request?: PeerRequest }): Promise<object> => {
    if (message.universe !== undefined) {
      adapter = await setUp(message.universe);
      return { ready: true };
    }
    if (adapter === undefined || message.request === undefined) throw new Error("no universe yet");
    return adapter(message.request);
  };
  process.on("message", (message: { universe?: PeerUniverse; request?: PeerRequest }) => {
    answer(message).then(
      (sent) => process.send?.(sent),
      (error: unknown) =>
        process.send?.({ failed: String(error instanceof Error ? error.message : error).slice(0, 200) }),
    );
  });
  process.on("disconnect", () => process.exit(0));
}

/** What `call` gave or threw, and what it took. */
export async function timed<T>(
  call: () => T | Promise<T>,
): Promise<{ readonly result?: T; readonly error?: unknown; readonly spent: Spent }> {
  const watch = startWatch();
  try {
    const result = await call();
    return { result, spent: watch() };
  } catch (error) {
    return { error, spent: watch() };
  }
}

/** Measures from now until it is asked. */
export function startWatch(): () => Spent {
  const [start, used] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(used);
    return { wall: performance.now() - start, cpu: (user + system) / 1000 };
  };
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
