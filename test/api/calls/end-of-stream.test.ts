import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Exchange } from "../../../src/api/calls/call.ts";
import { endOfStream } from "../../../src/api/calls/end-of-stream.ts";
import { refuse } from "../../../src/domain/errors/swap-error.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const REVOKED = refuse("UNAUTHENTICATED", "revoked");

/** An open stream whose key is valid until `revoke`. */
function open(timeoutMs?: number) {
  const [gone, draining] = [new AbortController(), new AbortController()];
  const state = { valid: true, cuts: 0 };
  const exchange = {
    recheck: () => {
      if (!state.valid) throw REVOKED;
    },
    cut: () => {
      state.cuts += 1;
    },
  } as Partial<Exchange> as Exchange;
  const shuttingDown = () => refuse("UNAVAILABLE", "over");
  const until = { draining: draining.signal, shuttingDown, everyMs: 500 };
  const stream = endOfStream(exchange, { gone: gone.signal, timeoutMs }, until);
  return { stream, state, leave: () => gone.abort(), drain: () => draining.abort() };
}

describe("a stream that nobody reads", () => {
  test("is cut within 5 s of its key's end", () => {
    const { stream, state } = open();
    vi.advanceTimersByTime(60_000);
    expect([stream.signal.aborted, state.cuts]).toEqual([false, 0]);
    state.valid = false;
    vi.advanceTimersByTime(5_000);
    expect(stream.signal.reason).toBe(REVOKED);
    expect(state.cuts).toBe(1);
  });

  test("is not cut when its reader has taken the end", () => {
    const { stream, state } = open();
    state.valid = false;
    vi.advanceTimersByTime(500);
    expect(stream.signal.reason).toBe(REVOKED);
    stream.release();
    vi.advanceTimersByTime(60_000);
    expect(state.cuts).toBe(0);
  });
});

test.each([
  ["the caller leaves", "DEADLINE_EXCEEDED", (one: ReturnType<typeof open>) => one.leave()],
  ["the service shuts down", "UNAVAILABLE", (one: ReturnType<typeof open>) => one.drain()],
  ["its deadline passes", "DEADLINE_EXCEEDED", () => vi.advanceTimersByTime(500)],
])("a stream ends when %s", (_, kind, happen) => {
  const one = open(500);
  expect(one.stream.signal.aborted).toBe(false);
  happen(one);
  expect(one.stream.signal.reason).toMatchObject({ kind });
  one.stream.release();
  expect(vi.getTimerCount()).toBe(0);
});
