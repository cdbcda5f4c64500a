import { Worker } from "node:worker_threads";
import type { Registry } from "prom-client";
import { messageOf } from "../../domain/message-of.ts";
import type { Logger } from "../../ops/logger.ts";
import type { FromMetricsThread, MetricsThreadData, ToMetricsThread } from "./metrics-messages.ts";
import { textOf } from "./metrics-server.ts";
import type { Readiness } from "./probes.ts";

/** Time between two messages of the state, ms. */
const STATE_EVERY_MS = 100;
/** Wait before a thread that has ended is started again, ms. */
const RESTART_MS = 1_000;
/** Memory of the thread's own objects, MiB: of long-lived ones, and of short-lived ones. */
const OLD_MIB = 64;
const YOUNG_MIB = 8;

/** Parts of the service that the metrics thread tells of. */
export interface MetricsThreadParts {
  readonly registry: Pick<Registry, "metrics" | "contentType">;
  readonly readiness: Readiness;
  readonly logger: Pick<Logger, "error">;
}

/**
 * Thread that serves metrics and probes, so that these do not wait for what the main thread is doing. One that ends is started again,
 * at the same port.
 */
export class MetricsThread {
  readonly #parts: MetricsThreadParts;
  #worker: Worker | undefined;
  #restart: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: MetricsThreadParts) {
    this.#parts = parts;
  }

  /** Listens, and answers the port. @throws Error with the code of node:net where the address cannot be listened on */
  listen(port: number, host: string): Promise<number> {
    const { readiness, logger } = this.#parts;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const data: MetricsThreadData = { host, port, state: readiness() };
    const worker = new Worker(new URL("metrics-worker.ts", import.meta.url), {
      name: "metrics",
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: OLD_MIB, maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    this.#worker = worker;
    let listened: number | undefined;
    let fault: unknown = new Error("the metrics thread exited");
    worker.on("message", (message: FromMetricsThread) => {
      if (message.kind === "collect") return void this.#collect(worker);
      if (message.kind === "refused") {
        fault = Object.assign(new Error(message.message), { code: message.code });
        return void worker.terminate();
      }
      listened = message.port;
      resolve(message.port);
    });
    worker.once("error", (error) => {
      fault = error;
    });
    const beat = setInterval(() => tell(worker, { kind: "state", state: readiness() }), STATE_EVERY_MS);
    worker.once("exit", () => {
      clearInterval(beat);
      reject(fault);
      if (listened === undefined || this.#isClosed) return;
      logger.error({ reason: messageOf(fault) }, "the metrics thread ended: it is started again");
      this.#startAgain(listened, host);
    });
    return promise;
  }

  /** Ends the thread with all its connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#restart);
    await this.#worker?.terminate();
  }

  #startAgain(port: number, host: string): void {
    this.#restart = setTimeout(() => {
      this.listen(port, host).catch((error) => {
        if (this.#isClosed) return;
        this.#parts.logger.error({ reason: messageOf(error) }, "the metrics thread does not start: it is tried again");
        this.#startAgain(port, host);
      });
    }, RESTART_MS);
  }

  async #collect(worker: Worker): Promise<void> {
    const text = await textOf(this.#parts.registry).catch(() => undefined);
    tell(worker, { kind: "metrics", text });
  }
}

function tell(worker: Worker, message: ToMetricsThread): void {
  worker.postMessage(message);
}
