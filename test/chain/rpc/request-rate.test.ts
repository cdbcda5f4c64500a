import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../../fixtures/chain/virtual-clock.ts";
import type { Provider } from "../../../src/chain/rpc/provider.ts";
import { TransportError } from "../../../src/chain/rpc/provider-errors.ts";
import { createRequestPace, type Lane, type RequestPace } from "../../../src/chain/rpc/request-rate.ts";
import { createTimedChain, type Following, follow, isServed, type TimedChain } from "../blocks/following.ts";

let clock: VirtualClock;
let pace: RequestPace;
/** Lanes of the requests that went, in their order, and the ends of those. */
let gone: Lane[];
let ends: (() => void)[];

beforeEach(() => {
  clock = createVirtualClock(0);
  pace = createRequestPace(clock, 3);
  gone = [];
  ends = [];
});

function ask(lane: Lane, timeoutMs = 10_000): Promise<void> {
  return pace.takeTurn(timeoutMs, lane).then((end) => {
    gone.push(lane);
    ends.push(end);
  });
}

describe("requests to one node", () => {
  it("are on their way for callers in a bounded number, and for the follower in any", async () => {
    const asked = Array.from({ length: 5 }, () => ask("callers"));
    await clock.advance(0);
    expect(gone.length).toBe(3);
    const following = Array.from({ length: 5 }, () => ask("follower"));
    await Promise.all(following);
    expect(gone.length).toBe(8);
    const [end] = ends;
    end!();
    end!();
    await clock.advance(0);
    expect(gone.length).toBe(9);
    for (const other of ends) other();
    await Promise.all(asked);
  });

  it("of callers that wait too long are refused, and hold nobody up", async () => {
    for (let each = 0; each < 3; each++) void ask("callers");
    const late = expect(ask("callers", 500)).rejects.toMatchObject({ name: "TransportError", limited: true });
    const patient = ask("callers");
    await clock.advance(500);
    await late;
    ends[0]!();
    await patient;
    expect(gone.length).toBe(4);
  });

  it("of the follower go first once the node complains, however many wait for callers", async () => {
    pace = createRequestPace(clock, 100);
    await Promise.all(Array.from({ length: 20 }, () => ask("callers")));
    pace.complained(1_000);
    gone = [];
    for (let each = 0; each < 50; each++) void ask("callers");
    for (let each = 0; each < 4; each++) void ask("follower");
    await clock.advance(999);
    expect(gone).toEqual([]);
    await clock.advance(301);
    expect(gone.slice(0, 5)).toEqual(["follower", "follower", "follower", "follower", "callers"]);
    expect(pace.limit()).toBeCloseTo(14);
  });

  it("are refused at once where the node wants to be left alone for longer", async () => {
    pace.complained(5_000);
    await expect(ask("follower", 3_000)).rejects.toMatchObject({ limited: true, retryAfterMs: 5_000 });
  });
});

describe("a node that takes 60 requests a second", () => {
  let following: Following | undefined;
  afterEach(async () => {
    await following?.stop();
    following = undefined;
  });

  /** The node counts by whole seconds, as most providers do. */
  function limited(fake: TimedChain): Provider {
    let [second, taken] = [0, 0];
    return {
      ...fake.provider,
      async request(...asked) {
        const now = Math.floor(fake.clock.elapsed() / 1_000);
        if (now !== second) [second, taken] = [now, 0];
        taken += 1;
        if (taken > 60) throw new TransportError("HTTP 429", { limited: true, retryAfterMs: 1_000 });
        return fake.provider.request(...asked);
      },
    };
  }

  it("follows the chain block by block while callers want 300 a second of it", async () => {
    const fake = createTimedChain({ seed: 61 });
    for (let block = 0; block < 30; block++) fake.mine();
    following = await follow(fake, { providers: [limited(fake)] });
    await following.caughtUp();
    const late: number[] = [];
    for (let block = 0; block < 60; block++) {
      fake.mine({ pairs: block % 8 === 0 ? 1 : 0 });
      for (let part = 0; part < 20; part++) {
        for (let each = 0; each < 30; each++) void following.chain.provider.request("eth_gasPrice", []).catch(() => {});
        await fake.clock.advance(100);
        expect(isServed(following.chain)).toBe(true);
      }
      late.push(Number(fake.head.number - following.chain.status().head!.number));
    }
    expect(Math.max(...late)).toBeLessThanOrEqual(2);
    expect(following.wrong).toEqual([]);
    expect(following.chain.status().resyncs).toBe(0);
  });
});
