import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { queueSearches } from "../../../src/quoting/search/search-queue.ts";
import { createThreadTurns } from "../../../src/quoting/search/thread-turns.ts";
import { callGrpcJs } from "../../support/door/grpc-js.ts";
import { type Door, openDoor } from "../../support/door/http.ts";
import { PRICE, REQUEST } from "../../support/door/price-call.ts";

let door: Door;
beforeAll(async () => {
  door = await openDoor(
    {},
    undefined,
    31337,
    {},
    // Five places: the last is for other accounts.
    (quoting) => queueSearches(quoting, { atOnce: 5, mostWaiting: 4 }, createThreadTurns(Date.now)).quoting,
  );
});
afterAll(() => door.server.drain(1_000));

test("a service that has too much to do says so at once, and serves whom it has let in", async () => {
  const release: (() => void)[] = [];
  door.quoting.before = () => new Promise((resolve) => release.push(resolve));
  const calls = Array.from({ length: 40 }, () => door.get(PRICE));
  // Nobody has been served yet, and all but those that were let in have their answer.
  let refused = 0;
  const counted = Promise.withResolvers<void>();
  for (const call of calls) void call.then(() => (++refused === 32 ? counted.resolve() : undefined));
  await counted.promise;
  expect(release.length).toBe(4);
  await expect(callGrpcJs(door.port, "getPrice", REQUEST)).rejects.toMatchObject({ code: Code.Unavailable });
  expect((await door.get("/livez")).status).toBe(200);
  expect((await door.get("/swap/v1/sources")).status).toBe(200);
  let served = 0;
  while (served < 8) {
    await new Promise(setImmediate);
    for (const go of release.splice(0)) {
      go();
      served += 1;
    }
  }
  const answers = await Promise.all(calls);
  const busy = answers.filter(({ status }) => status === 503);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(8);
  expect(busy).toHaveLength(32);
  for (const { headers, body } of busy) {
    expect(headers.get("retry-after")).toBe("1");
    expect(body).toMatchObject({ code: 108, reason: "OVERLOADED" });
  }
  door.quoting.before = async () => {};
  expect((await door.get(PRICE)).status).toBe(200);
  // Accounts take turns.
  expect(new Set(door.quoting.asked.map(({ context }) => context.account))).toEqual(new Set(["preset"]));
});
