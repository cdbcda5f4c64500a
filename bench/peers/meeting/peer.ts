import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { PeerUniverse } from "../../../fixtures/universes/priced.ts";
import type { ToAdapter } from "../routers/serve.ts";
import type { PeerRequest } from "./requests.ts";

export type Asked<Answer> =
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "ended" };

/** A router in a process of its own. */
export interface Peer<Answer> {
  ask(request: PeerRequest): Promise<Asked<Answer>>;
  stop(): Promise<void>;
}

type FromAdapter<Answer> = { readonly ready: true } | { readonly failed: string } | Answer;

const START_MS = 120_000;
/** By the clock a request may take this many times its processor time: the machine may be busy. */
const PATIENCE = 60;

/**
 * Starts adapter `file` on a universe. A request that takes more than `capMs` of a processor ends the process; the next
 * request starts another.
 */
export async function startPeer<Answer extends object>(
  file: string,
  args: readonly string[],
  universe: PeerUniverse,
  capMs: number,
): Promise<Peer<Answer>> {
  let child = await begin();

  async function begin(): Promise<ChildProcess> {
    const path = fileURLToPath(new URL(`../routers/${file}`, import.meta.url));
    const begun = fork(path, args, { serialization: "advanced", stdio: ["ignore", "ignore", "pipe", "ipc"] });
    begun.stderr?.resume();
    const message = await exchange<Answer>(begun, { universe, capMs }, START_MS);
    if (message === undefined || !("ready" in message)) {
      begun.kill("SIGKILL");
      const reason = message !== undefined && "failed" in message ? message.failed : "no answer";
      throw new Error(`${file} does not start: ${reason}`);
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
      if (child.exitCode !== null || child.signalCode !== null) child = await begin();
      const answer = await exchange<Answer>(child, { request }, capMs * PATIENCE);
      if (answer === undefined) {
        await end();
        return { kind: "ended" };
      }
      if ("failed" in answer) return { kind: "failed", reason: answer.failed };
      if ("ready" in answer) throw new Error(`${file} answers out of turn`);
      return { kind: "answered", answer };
    },
    stop: end,
  };
}

/** The child's answer to a message; undefined when it takes longer than `mostMs` or ends. */
function exchange<Answer>(
  child: ChildProcess,
  message: ToAdapter,
  mostMs: number,
): Promise<FromAdapter<Answer> | undefined> {
  return new Promise((resolve) => {
    const finish = (answer: FromAdapter<Answer> | undefined) => {
      clearTimeout(timer);
      child.off("message", answered);
      child.off("exit", ended);
      resolve(answer);
    };
    const answered = (answer: unknown) => finish(answer as FromAdapter<Answer>);
    const ended = () => finish(undefined);
    const timer = setTimeout(ended, mostMs);
    child.on("message", answered);
    child.on("exit", ended);
    child.send(message);
  });
}
