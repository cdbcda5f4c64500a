import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { PlannedPath } from "./replay.ts";
import type { PeerRequest } from "./requests.ts";
import type { Spent } from "./serve.ts";
import type { PeerUniverse } from "./universe.ts";

export type PeerAnswer =
  | { readonly kind: "plan"; readonly plan: readonly PlannedPath[]; readonly spent: Spent }
  | { readonly kind: "no route"; readonly spent: Spent }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "timed out" };

/** Another router in a process of its own. */
export interface Peer {
  ask(request: PeerRequest): Promise<PeerAnswer>;
  stop(): Promise<void>;
}

interface FromChild {
  readonly ready?: true;
  readonly plan?: readonly PlannedPath[];
  readonly spent?: Spent;
  readonly failed?: string;
}

/** Starts adapter `file` on a universe. A request that takes longer than `capMs` ends the process; the next starts anew. */
export async function startPeer(
  file: string,
  args: readonly string[],
  universe: PeerUniverse,
  capMs: number,
): Promise<Peer> {
  let child = await begin();

  async function begin(): Promise<ChildProcess> {
    const path = fileURLToPath(new URL(file, import.meta.url));
    const begun = fork(path, args, { serialization: "advanced", stdio: ["ignore", "ignore", "pipe", "ipc"] });
    begun.stderr?.resume();
    begun.send({ universe });
    const message = await next(begun, 120_000);
    if (message === undefined || message.ready !== true) {
      begun.kill("SIGKILL");
      throw new Error(`${file} does not start: ${message?.failed ?? "no answer"}`);
    }
    return begun;
  }

  async function end(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  return {
    async ask(request) {
      child.send({ request });
      const answer = await next(child, capMs);
      if (answer === undefined) {
        await end();
        child = await begin();
        return { kind: "timed out" };
      }
      if (answer.failed !== undefined) return { kind: "failed", reason: answer.failed };
      const spent = answer.spent ?? { wall: Number.NaN, cpu: Number.NaN };
      return answer.plan === undefined ? { kind: "no route", spent } : { kind: "plan", plan: answer.plan, spent };
    },
    stop: end,
  };
}

/** The child's next message; undefined when it takes longer than `capMs` or ends. */
function next(child: ChildProcess, capMs: number): Promise<FromChild | undefined> {
  return new Promise((resolve) => {
    const finish = (message: FromChild | undefined) => {
      clearTimeout(timer);
      child.off("message", finish);
      child.off("exit", ended);
      resolve(message);
    };
    const ended = () => finish(undefined);
    const timer = setTimeout(ended, capMs);
    child.on("message", finish);
    child.on("exit", ended);
  });
}
