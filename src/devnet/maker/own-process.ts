import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Logger, LogLevel } from "../../ops/logger.ts";
import type { MakerOptions, ReferenceMaker } from "./reference-maker.ts";

/** Message to the maker's process, sent once. */
export type ToMaker = Pick<MakerOptions, "rpcUrl" | "settlement" | "authorization"> & { readonly level: LogLevel };

/** Answer of the maker's process, sent once. */
export type FromMaker =
  | { readonly kind: "open"; readonly maker: Omit<ReferenceMaker, "stop"> }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * A process for a reference maker, whose work is none of the service's. It is made before the maker is opened, since its start
 * takes a second, and ends when this process does.
 */
export class MakerProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #logger: Logger;
  #isStopped = false;

  constructor(logger: Logger) {
    this.#logger = logger;
    this.#child = fork(fileURLToPath(new URL("maker-process.ts", import.meta.url)), [], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // In a session of its own: Ctrl-C in a terminal reaches only us.
      detached: true,
      execArgv: [],
    });
    this.#ended = new Promise((resolve) => this.#child.once("exit", resolve).on("error", resolve));
  }

  /** @throws Error when the node is not a devnet, or the process has ended */
  async open(options: Omit<ToMaker, "level">): Promise<ReferenceMaker> {
    const answer = once(this.#child, "message") as Promise<[FromMaker]>;
    this.#child.send({ ...options, level: this.#logger.level as LogLevel } satisfies ToMaker);
    const [message] = (await Promise.race([answer, this.#ended.then(() => [])])) as readonly (FromMaker | undefined)[];
    if (message?.kind !== "open") throw new Error(message?.reason ?? "the reference maker's process has ended");
    void this.#ended.then(() => {
      if (!this.#isStopped) this.#logger.error("the reference maker has ended by itself: start again to have one");
    });
    return { ...message.maker, stop: () => this.stop() };
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#child.connected) this.#child.disconnect();
    await this.#ended;
  }
}
