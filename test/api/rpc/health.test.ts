import { getEventListeners } from "node:events";
import type { ConnectRouter, HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { expect, test } from "vitest";
import type { Health } from "#gen/grpc/health/v1/health_pb.ts";
import { createHealthState } from "../../../src/api/rpc/health.ts";

test("a watch of many changes keeps nothing of those that are over", async () => {
  const health = createHealthState([]);
  let watch: ServiceImpl<typeof Health>["watch"] | undefined;
  health.register({
    service: (_: unknown, methods: ServiceImpl<typeof Health>) => {
      ({ watch } = methods);
    },
  } as unknown as ConnectRouter);
  const leaving = new AbortController();
  const { signal } = leaving;
  const told = watch!({ service: "" } as never, { signal } as HandlerContext)[Symbol.asyncIterator]();
  for (let turn = 0; turn < 20; turn++) {
    await told.next();
    health.set(turn % 2 === 0);
  }
  expect(getEventListeners(signal, "abort").length).toBeLessThanOrEqual(1);
  await told.next();
  const over = told.next();
  leaving.abort();
  expect((await over).done).toBe(true);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
