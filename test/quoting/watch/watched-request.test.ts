import { expect, test } from "vitest";
import { refuse } from "../../../src/domain/errors/swap-error.ts";
import { createSimulationTurns } from "../../../src/quoting/watch/simulation-turns.ts";
import { WatchedRequest } from "../../../src/quoting/watch/watched-request.ts";

const NEVER = new AbortController().signal;
const refusal = (reason: "UNAVAILABLE" | "INTERNAL") => ({ kind: "status", refusal: refuse(reason, reason) }) as const;

function watched(): WatchedRequest {
  return new WatchedRequest(
    "a request",
    {} as never,
    createSimulationTurns(0, () => 0),
  );
}

test("it is priced for the account that came first, and for the next when that has left", () => {
  const one = watched();
  one.join({ key: "k1", account: "first" });
  one.join({ key: "k2", account: "second" });
  one.join({ key: "k1", account: "first" });
  one.leave({ key: "k1", account: "first" });
  expect([one.account, one.isWatchedBy("k1")]).toEqual(["first", true]);
  one.leave({ key: "k1", account: "first" });
  expect([one.account, one.isWatchedBy("k1"), one.isWatched]).toEqual(["second", false, true]);
  one.leave({ key: "k2", account: "second" });
  expect(one.isWatched).toBe(false);
});

test("a state that says nothing new is not told again, another one is", async () => {
  const one = watched();
  one.tell(refusal("UNAVAILABLE"), undefined);
  const updates = one.updates(NEVER, 60_000, false);
  expect((await updates.next()).value).toMatchObject({ kind: "status", refusal: { kind: "UNAVAILABLE" } });
  const next = updates.next();
  one.tell(refusal("UNAVAILABLE"), undefined);
  await new Promise((resolve) => setImmediate(resolve));
  one.tell(refusal("INTERNAL"), undefined);
  expect((await next).value).toMatchObject({ kind: "status", refusal: { kind: "INTERNAL" } });
  await updates.return(undefined);
});

test("who comes while it is being priced waits for that, and gets a heartbeat where it takes long", async () => {
  const one = watched();
  one.tell(refusal("UNAVAILABLE"), undefined);
  const updates = one.updates(NEVER, 1, true);
  expect((await updates.next()).value).toEqual({ kind: "heartbeat", block: undefined });
  const patient = one.updates(NEVER, 60_000, true);
  const next = patient.next();
  one.tell(refusal("UNAVAILABLE"), undefined);
  expect((await next).value).toMatchObject({ kind: "status" });
  await Promise.all([updates.return(undefined), patient.return(undefined)]);
});
