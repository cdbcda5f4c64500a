import { describe, expect, test } from "vitest";
import { callGrpcJs } from "../../support/door/grpc-js.ts";
import { KEY, openDoor } from "../../support/door/http.ts";
import { PRICE, REQUEST, RPC } from "../../support/door/price-call.ts";

describe("drain", () => {
  test("finishes what is in flight on every protocol, and refuses the rest", async () => {
    const draining = await openDoor();
    const started = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    let waiting = 0;
    draining.quoting.before = async () => {
      if (++waiting === 3) started.resolve();
      await release.promise;
    };
    const rest = draining.get(PRICE);
    const connectJson = fetch(draining.origin + RPC, {
      method: "POST",
      headers: { "api-key": KEY, "content-type": "application/json" },
      body: JSON.stringify(REQUEST),
    });
    const grpc = callGrpcJs(draining.port, "getPrice", REQUEST);
    await started.promise;
    let drained = false;
    const drain = draining.server.drain(10_000).then(() => {
      drained = true;
    });
    await expect(fetch(`${draining.origin}/livez`)).rejects.toThrow();
    expect(drained).toBe(false);
    release.resolve();
    expect((await rest).status).toBe(200);
    expect((await connectJson).status).toBe(200);
    expect(await grpc).toMatchObject({ buyAmount: "2000" });
    await drain;
    await expect.poll(() => draining.server.sessionCount()).toBe(0);
  });

  test("cuts what does not end", async () => {
    const draining = await openDoor();
    const started = Promise.withResolvers<void>();
    draining.quoting.before = () => {
      started.resolve();
      return new Promise(() => {});
    };
    const stuck = expect(draining.get(PRICE)).rejects.toThrow();
    await started.promise;
    await draining.server.drain(50);
    await stuck;
  });
});
