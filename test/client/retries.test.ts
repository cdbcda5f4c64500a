import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type FailureKind, SwapCallError, type SwapClient, withRetries } from "../../src/client/index.ts";
import { readEvents } from "../../src/client/server-sent-events.ts";

const REQUEST = { sellToken: "0x1", buyToken: "0x2", sellAmount: 1n };
const refusal = (kind: FailureKind, retryAfterSeconds?: number) =>
  new SwapCallError({ message: "not now", kind, retryAfterSeconds });

/** A client whose calls fail so, one after the other, and answer then. */
function clientThatFails(...failures: readonly SwapCallError[]) {
  const left = [...failures];
  const attempt = vi.fn(async () => {
    const failure = left.shift();
    if (failure !== undefined) throw failure;
    return { buyAmount: "1" };
  });
  async function* watch() {
    yield { kind: "price", price: await attempt() };
    throw left.shift() ?? refusal("UNAUTHENTICATED");
  }
  return { client: { price: attempt, quote: attempt, watch } as unknown as SwapClient, attempt };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("makes a call again after what passes, later each time", async () => {
  const { client, attempt } = clientThatFails(refusal("NOT_REACHED"), refusal("UNAVAILABLE"));
  const price = withRetries(client).price(REQUEST);
  await vi.advanceTimersByTimeAsync(99);
  expect(attempt).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(101 + 199);
  expect(attempt.mock.calls.length).toBeLessThanOrEqual(3);
  await vi.advanceTimersByTimeAsync(400);
  expect(await price).toEqual({ buyAmount: "1" });
  expect(attempt).toHaveBeenCalledTimes(3);
});

it("waits as long as the service asks to, and not for what is too long", async () => {
  const { client, attempt } = clientThatFails(refusal("TOO_MANY_REQUESTS", 7), refusal("TOO_MANY_REQUESTS", 11));
  const quote = withRetries(client).quote(REQUEST);
  const failed = expect(quote).rejects.toMatchObject({ kind: "TOO_MANY_REQUESTS", retryAfterSeconds: 11 });
  await vi.advanceTimersByTimeAsync(6_999);
  expect(attempt).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  await failed;
  expect(attempt).toHaveBeenCalledTimes(2);
});

it("fails at once where no timer is as long as the service asks for", async () => {
  const { client, attempt } = clientThatFails(refusal("UNAVAILABLE", 1e9));
  const price = withRetries(client, { longestDelayMs: Number.POSITIVE_INFINITY }).price(REQUEST);
  await expect(price).rejects.toMatchObject({ retryAfterSeconds: 1e9 });
  expect(attempt).toHaveBeenCalledTimes(1);
});

it("gives up what another try does not change, and after so many of them", async () => {
  const refused = clientThatFails(refusal("INVALID_PARAMETERS"));
  await expect(withRetries(refused.client).price(REQUEST)).rejects.toMatchObject({ kind: "INVALID_PARAMETERS" });
  expect(refused.attempt).toHaveBeenCalledTimes(1);

  const gone = clientThatFails(...Array.from({ length: 9 }, () => refusal("NOT_REACHED")));
  const failed = expect(withRetries(gone.client, { attempts: 3 }).price(REQUEST)).rejects.toThrow("not now");
  await vi.advanceTimersByTimeAsync(60_000);
  await failed;
  expect(gone.attempt).toHaveBeenCalledTimes(3);
});

it("ends a pause when the caller gives up", async () => {
  const { client, attempt } = clientThatFails(refusal("TOO_MANY_REQUESTS", 7));
  const controller = new AbortController();
  const failed = expect(withRetries(client).price(REQUEST, { signal: controller.signal })).rejects.toMatchObject({
    kind: "CANCELED",
  });
  await vi.advanceTimersByTimeAsync(1_000);
  controller.abort();
  await failed;
  expect(attempt).toHaveBeenCalledTimes(1);
});

it("keeps to the call's own deadline over all tries", async () => {
  const { client, attempt } = clientThatFails(...Array.from({ length: 9 }, () => refusal("DEADLINE_EXCEEDED")));
  const failed = expect(withRetries(client).price(REQUEST, { timeoutMs: 150 })).rejects.toMatchObject({
    kind: "DEADLINE_EXCEEDED",
  });
  const told: unknown[] = [];
  const read = async () => {
    for await (const update of withRetries(client).watch(REQUEST, { timeoutMs: 50 })) told.push(update);
  };
  const ended = expect(read()).rejects.toMatchObject({ kind: "DEADLINE_EXCEEDED" });
  await vi.advanceTimersByTimeAsync(1_000);
  await failed;
  await ended;
  expect(attempt.mock.calls.length).toBeLessThanOrEqual(3);
  expect(told).toEqual([]);
});

it("gives up a stream whose event has no end", async () => {
  const chunk = new TextEncoder().encode("x".repeat(100_000));
  const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(chunk) });
  await expect(readEvents(endless).next()).rejects.toThrow("too long");
});

it("opens a stream again, tells that it broke, and ends with what stays", async () => {
  const { client } = clientThatFails(refusal("NOT_REACHED"));
  const told: unknown[] = [];
  const read = (async () => {
    for await (const update of withRetries(client).watch(REQUEST)) told.push(update);
  })();
  const failed = expect(read).rejects.toMatchObject({ kind: "UNAUTHENTICATED" });
  await vi.advanceTimersByTimeAsync(1_000);
  await failed;
  expect(told).toEqual([
    { kind: "status", reason: "NOT_REACHED", description: "not now", problems: [] },
    { kind: "price", price: { buyAmount: "1" } },
  ]);
});

it("reads events whole, however they arrive", async () => {
  const text = ': comment\n\ndata: {"a":\ndata: 1}\n\nevent: error\r\ndata:{}\r\n\r\ndata: cut';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 7, bytes.length]) {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    const events: unknown[] = [];
    for await (const event of readEvents(body)) events.push(event);
    expect(events, `in pieces of ${size}`).toEqual([
      { type: "", data: '{"a":\n1}' },
      { type: "error", data: "{}" },
    ]);
  }
});
