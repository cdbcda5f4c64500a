import { expect, test } from "vitest";
import { NodeHealth } from "../../../src/chain/node/node-health.ts";

function healthAt(start = 0) {
  let elapsedMs = start;
  const health = new NodeHealth({ elapsed: () => elapsedMs });
  const pass = (ms: number) => {
    elapsedMs += ms;
  };
  return { health, pass, restMs: () => health.restsUntil - elapsedMs };
}

test("a node rests after five faults in a row, each time twice as long, and not after four and an answer", () => {
  const { health, restMs } = healthAt();
  for (let fault = 0; fault < 4; fault++) health.failed();
  health.answered(10);
  for (let fault = 0; fault < 4; fault++) health.failed();
  expect(health.restsUntil).toBe(0);
  health.failed();
  expect(restMs()).toBe(1_000);
  for (let fault = 0; fault < 5; fault++) health.failed();
  expect(restMs()).toBe(2_000);
});

test("rests begin short again after two hundred answers in a row", () => {
  const { health, restMs } = healthAt();
  health.rest();
  health.rest();
  for (let answer = 0; answer < 199; answer++) health.answered(1);
  health.rest();
  expect(restMs()).toBe(4_000);
  for (let answer = 0; answer < 200; answer++) health.answered(1);
  health.rest();
  expect(restMs()).toBe(1_000);
});

test("who lied is a liar for an hour, then for two", () => {
  const { health, pass } = healthAt();
  health.distrust("a pool");
  expect([health.lies, health.lie]).toEqual([true, "a pool"]);
  pass(3_600_000);
  expect([health.lies, health.lie]).toEqual([false, undefined]);
  health.distrust("logs");
  pass(7_199_999);
  expect(health.lies).toBe(true);
  pass(1);
  expect(health.lies).toBe(false);
});

test("one look that finds a node behind or astray displaces nothing, two in a row do", () => {
  const { health } = healthAt();
  health.place({ head: 7n, lagging: true });
  health.place({ forked: true });
  expect([health.displaced, health.head]).toEqual([undefined, 7n]);
  health.place({ forked: true });
  expect(health.displaced).toBe("forked");
  health.place({ lagging: true });
  health.place({ lagging: true });
  expect(health.displaced).toBe("lagging");
});
