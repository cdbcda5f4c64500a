import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { followPrice } from "../../../console/src/answer/live-price.ts";
import type { SwapClient } from "../../../src/client/index.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("a stream that says nothing any more is opened again; heartbeats keep it", async () => {
  let opened = 0;
  const client = {
    async *watch(_: unknown, { signal }: { readonly signal: AbortSignal }) {
      opened += 1;
      for (let beat = 0; beat < 3; beat++) {
        await new Promise((resolve) => setTimeout(resolve, 40_000));
        signal.throwIfAborted();
        yield { kind: "heartbeat", blockNumber: "1", blockHash: "0x1" };
      }
      // The connection is gone, and nobody says so.
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  } as unknown as SwapClient;
  const ended = new AbortController();
  const listener = { price: vi.fn(), refused: vi.fn(), keyRefused: vi.fn() };
  const request = { sellToken: "0x1", buyToken: "0x2", sellAmount: 1n };
  const following = followPrice(client, request, ended.signal, listener);
  await vi.advanceTimersByTimeAsync(170_000);
  expect(opened).toBe(1);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(opened).toBe(2);
  expect(listener.refused).not.toHaveBeenCalled();
  ended.abort();
  await vi.advanceTimersByTimeAsync(200_000);
  await following;
});
