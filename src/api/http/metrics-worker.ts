import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../../domain/message-of.ts";
import type { FromMetricsThread, MetricsThreadData, ToMetricsThread } from "./metrics-messages.ts";
import { createMetricsServer, type MetricsText } from "./metrics-server.ts";
import { probePages, type ReadyState } from "./probes.ts";

/** Silence of the main thread after which it counts as stuck, ms: it speaks ten times a second. */
const MAX_SILENCE_MS = 5_000;
/** Longest wait for metrics, ms: Prometheus waits as long by default. */
const MAX_COLLECTING_MS = 10_000;

/** Entry point of the metrics thread: it answers probes by what the main thread said last, however busy that thread is. */
async function serve(port: MessagePort, { host, port: listened, state: first }: MetricsThreadData): Promise<void> {
  let state: ReadyState = first;
  let heardAt = performance.now();
  let collecting: PromiseWithResolvers<MetricsText> | undefined;
  const send = (message: FromMetricsThread) => port.postMessage(message);

  const silence = () => performance.now() - heardAt;
  const isLive = () => silence() < MAX_SILENCE_MS;
  const readiness = (): ReadyState =>
    isLive()
      ? state
      : { ready: false, reason: `the service has been stuck for ${Math.floor(silence() / 1_000)} seconds` };

  /** Metrics of the main thread. All who wait for them get the same. */
  function collect(): Promise<MetricsText> {
    if (collecting !== undefined) return collecting.promise;
    const asked = Promise.withResolvers<MetricsText>();
    collecting = asked;
    const timer = setTimeout(() => asked.reject(new Error("the main thread did not answer")), MAX_COLLECTING_MS);
    send({ kind: "collect" });
    return asked.promise.finally(() => {
      clearTimeout(timer);
      collecting = undefined;
    });
  }

  port.on("message", (message: ToMetricsThread) => {
    heardAt = performance.now();
    if (message.kind === "state") state = message.state;
    else if (message.text === undefined) collecting?.reject(new Error("metrics could not be collected"));
    else collecting?.resolve(message.text);
  });

  const server = createMetricsServer(collect, probePages(readiness, isLive));
  try {
    await server.listen(listened, host);
    send({ kind: "listening", port: server.port() });
  } catch (error) {
    send({ kind: "refused", code: (error as NodeJS.ErrnoException).code, message: messageOf(error) });
  }
}

if (parentPort === null) throw new Error("this file is what the service runs in its metrics thread");
await serve(parentPort, workerData);
