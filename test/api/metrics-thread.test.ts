import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { Registry } from "prom-client";
import { afterEach, describe, expect, test } from "vitest";
import { MetricsThread } from "../../src/api/http/metrics-thread.ts";
import type { ReadyState } from "../../src/api/http/probes.ts";

const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

/** A metrics thread, with what it tells of. */
async function open(metrics: () => Promise<string> = async () => "up 1\n") {
  let state: ReadyState = { ready: false, reason: "no fresh block" };
  const faults: string[] = [];
  const thread = new MetricsThread({
    registry: { metrics, contentType: Registry.PROMETHEUS_CONTENT_TYPE },
    readiness: () => state,
    logger: { error: (_: unknown, text?: string) => void faults.push(text ?? "") },
  });
  ended.push(() => thread.close());
  const port = await thread.listen(0, "127.0.0.1");
  const get = async (path: string, method = "GET") => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    return [response.status, await response.text()];
  };
  const set = (now: ReadyState) => {
    state = now;
  };
  return { port, get, set, faults };
}

/** Holds the event loop up. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe("metrics thread", () => {
  test("answers probes by the state that it was told", async () => {
    const { get, set } = await open();
    expect(await get("/livez")).toEqual([200, '{"live":true}']);
    expect(await get("/readyz")).toEqual([503, '{"ready":false,"reason":"no fresh block"}']);
    set({ ready: true, detail: "pools are searched for" });
    await expect.poll(() => get("/readyz")).toEqual([200, '{"ready":true,"detail":"pools are searched for"}']);
    expect(await get("/readyz", "POST")).toEqual([405, ""]);
    expect(await get("/status")).toEqual([404, ""]);
  });

  test("asks the main thread for metrics, once for all who wait", async () => {
    let collected = 0;
    const { get } = await open(async () => {
      collected += 1;
      await wait(100);
      return `collected ${collected}\n`;
    });
    const all = await Promise.all([get("/metrics"), get("/metrics"), get("/metrics")]);
    expect(new Set(all.map(([status]) => status))).toEqual(new Set([200]));
    expect(collected).toBeLessThan(3);
    expect(await get("/metrics")).toEqual([200, `collected ${collected}\n`]);
  });

  test("answers 500 where metrics cannot be collected, and 200 afterwards", async () => {
    let fails = true;
    const { get } = await open(async () => {
      if (fails) throw new Error("a gauge threw");
      return "up 1\n";
    });
    expect(await get("/metrics")).toEqual([500, ""]);
    fails = false;
    expect(await get("/metrics")).toEqual([200, "up 1\n"]);
  });

  test("answers while the main thread is held up, and says so after five seconds", async () => {
    const { port, get } = await open();
    const program = `
      const { workerData, parentPort } = require("node:worker_threads");
      const { setTimeout: wait } = require("node:timers/promises");
      const ask = async (path) => (await fetch("http://127.0.0.1:" + workerData + path)).status;
      (async () => {
        const early = await ask("/livez");
        await wait(6_000);
        const late = [await ask("/livez"), await (await fetch("http://127.0.0.1:" + workerData + "/readyz")).text()];
        parentPort.postMessage([early, ...late]);
      })();
    `;
    const caller = new Worker(program, { eval: true, workerData: port });
    const answers = new Promise((resolve) => caller.once("message", resolve));
    block(8_000);
    const [early, late, reason] = (await answers) as [number, number, string];
    expect([early, late]).toEqual([200, 503]);
    expect(reason).toMatch(/^\{"ready":false,"reason":"the service has been stuck for \d seconds"\}$/);
    await expect.poll(() => get("/livez")).toEqual([200, '{"live":true}']);
  }, 30_000);

  test("is started again at its port when it has ended", async () => {
    // No text: the thread throws when it sends it.
    let text: unknown = 42;
    const { get, faults } = await open(async () => text as string);
    const tryMetrics = () => get("/metrics").catch(() => "no answer");
    expect(await tryMetrics()).toBe("no answer");
    text = "up 1\n";
    await expect.poll(tryMetrics, { timeout: 20_000 }).toEqual([200, "up 1\n"]);
    expect(faults).toEqual(["the metrics thread ended: it is started again"]);
  }, 30_000);

  test("a taken port is refused with node's code", async () => {
    const { port } = await open();
    const other = new MetricsThread({
      registry: { metrics: async () => "", contentType: Registry.PROMETHEUS_CONTENT_TYPE },
      readiness: () => ({ ready: true }),
      logger: { error: () => undefined },
    });
    await expect(other.listen(port, "127.0.0.1")).rejects.toMatchObject({ code: "EADDRINUSE" });
    await other.close();
  });
});
