import { afterEach, describe, expect, it, vi } from "vitest";
import { createFakeMarket } from "../../../fixtures/door/fake-market.ts";
import { createFakeQuoting, USDC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import { refuse, type SwapError } from "../../../src/domain/errors/swap-error.ts";
import type { PriceAnswer, SwapRequest } from "../../../src/quoting/answer/types.ts";
import type { PriceUpdate } from "../../../src/quoting/watch/price-update.ts";
import {
  createPriceWatches,
  DEFAULT_WATCH_LIMITS,
  type WatchLimits,
} from "../../../src/quoting/watch/price-watches.ts";

const request = (sellAmount: bigint): SwapRequest => ({
  sellToken: WETH,
  buyToken: USDC,
  amount: { kind: "exactIn", sellAmount },
  slippage: 0n,
  sources: { kind: "all" },
  skipValidation: true,
});

const LIMITS: WatchLimits = {
  ...DEFAULT_WATCH_LIMITS,
  ...{ mostWatches: 10_000, mostWatchesPerKey: 10_000, mostRequests: 10_000, heartbeatMs: 60_000 },
};

/** Somebody with one key. */
const watcher = (key = "one") => ({ key, account: key });

/** Watches over a market whose price the test changes. */
function setUp(limits: WatchLimits = LIMITS) {
  const market = createFakeMarket();
  const fake = createFakeQuoting();
  const world = { factor: 2n, gasPrice: 1n, blockNumber: 1n, refusal: undefined as SwapError | undefined };
  const searched: bigint[] = [];
  const defects: unknown[] = [];
  const quoting = {
    async price(asked: SwapRequest): Promise<PriceAnswer> {
      searched.push(asked.amount.kind === "exactIn" ? asked.amount.sellAmount : 0n);
      if (market.unavailable !== undefined) throw refuse("UNAVAILABLE", market.unavailable);
      if (world.refusal !== undefined) throw world.refusal;
      const answer = await fake.price(asked, { requestId: "r", signal: new AbortController().signal });
      const { gasPrice, factor } = world;
      const block = { ...answer.block, number: world.blockNumber };
      return {
        ...answer,
        block,
        gasPrice,
        buyAmount: answer.sellAmount * factor,
        totalNetworkFee: gasPrice * 120_000n,
      };
    },
  };
  const watches = createPriceWatches({ quoting, market, limits, onDefect: (error) => defects.push(error) });
  const publish = (change: Partial<typeof world> = {}) => {
    Object.assign(world, change, { blockNumber: world.blockNumber + 1n });
    market.publish();
  };
  return { market, watches, searched, defects, publish, world };
}

/** Reads a watch to its end, and keeps what it says. */
function follow(watches: ReturnType<typeof setUp>["watches"], asked: SwapRequest, by = watcher()) {
  const seen: PriceUpdate[] = [];
  const stop = new AbortController();
  const ended = (async () => {
    for await (const update of watches.open(asked, stop.signal, by)) seen.push(update);
  })();
  return { seen, stop: () => stop.abort(), ended };
}

const told = (seen: readonly PriceUpdate[]) =>
  seen.map((update) =>
    update.kind === "price"
      ? `${update.answer.buyAmount} at ${update.answer.block.number}`
      : update.kind === "status"
        ? update.refusal.reason
        : `holds at ${update.block?.number}`,
  );

/** Lets all searches that are due be done. */
async function settled(searched: readonly bigint[]): Promise<void> {
  let before = -1;
  while (before !== searched.length) {
    before = searched.length;
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

afterEach(() => vi.useRealTimers());

describe("a watch", () => {
  it("tells the price at once, and after blocks in which it changes", async () => {
    const { watches, publish, searched } = setUp();
    const { seen, stop, ended } = follow(watches, request(10n));
    await settled(searched);
    for (const change of [{}, { factor: 3n }, { gasPrice: 9n }, { factor: 3n }, { factor: 2n }]) {
      publish(change);
      await settled(searched);
    }
    expect(told(seen)).toEqual(["20 at 1", "30 at 3", "20 at 6"]);
    stop();
    await ended;
    expect(watches.counts()).toEqual({ watches: 0, requests: 0 });
  });

  it("goes on when there is no price for now, and says why once", async () => {
    const { watches, publish, searched, defects } = setUp();
    const { seen, stop } = follow(watches, request(10n));
    await settled(searched);
    const none = (text: string) => refuse("INSUFFICIENT_ASSET_LIQUIDITY", text);
    const refusals = [none("send at most 5"), none("send at most 4"), new TypeError("a defect") as never, undefined];
    for (const refusal of refusals) {
      publish({ refusal });
      await settled(searched);
    }
    expect(told(seen)).toEqual(["20 at 1", "INSUFFICIENT_ASSET_LIQUIDITY", "INTERNAL", "20 at 5"]);
    expect(defects).toHaveLength(1);
    expect(JSON.stringify(seen, (_, value) => (typeof value === "bigint" ? "" : value))).not.toContain("a defect");
    stop();
  });

  it("notices by itself that the market has become stale, and fresh again", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { watches, market, searched } = setUp();
    const { seen, stop } = follow(watches, request(10n));
    await settled(searched);
    for (const reason of ["no node answers", "no node answers", undefined]) {
      market.unavailable = reason;
      vi.advanceTimersByTime(1_000);
      await settled(searched);
    }
    expect(told(seen)).toEqual(["20 at 1", "UNAVAILABLE", "20 at 1"]);
    stop();
  });

  it("gives a slow reader the newest price only", async () => {
    const { watches, publish, searched } = setUp();
    const stop = new AbortController();
    const slow = watches.open(request(10n), stop.signal, watcher());
    const first = await slow.next();
    for (const factor of [3n, 4n, 5n]) {
      publish({ factor });
      await settled(searched);
    }
    const second = await slow.next();
    expect(told([first.value as PriceUpdate, second.value as PriceUpdate])).toEqual(["20 at 1", "50 at 4"]);
    const third = slow.next();
    stop.abort();
    expect(await third).toEqual({ done: true, value: undefined });
  });

  it.each([
    ["a price", undefined, ["20 at 1", "holds at 19", "holds at 38"]],
    [
      "a refusal",
      refuse("INSUFFICIENT_ASSET_LIQUIDITY", "no route"),
      ["INSUFFICIENT_ASSET_LIQUIDITY", "holds at 19", "holds at 38"],
    ],
  ])("sends heartbeats while blocks come faster than they do, after %s", async (_, refusal, expected) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const { watches, publish, searched, world } = setUp({ ...LIMITS, heartbeatMs: 15_000 });
    world.refusal = refusal;
    const { seen, stop, ended } = follow(watches, request(10n));
    await settled(searched);
    for (let block = 0; block < 40; block += 1) {
      await vi.advanceTimersByTimeAsync(800);
      publish();
      await settled(searched);
    }
    expect(told(seen)).toEqual(expected);
    stop();
    await ended;
  });

  it("is left behind by nobody: a reader that goes away frees its place", async () => {
    const { watches, searched } = setUp({ ...LIMITS, mostWatches: 2, mostRequests: 1 });
    const one = watches.open(request(10n), new AbortController().signal, watcher("a"));
    const two = watches.open(request(10n), new AbortController().signal, watcher("b"));
    await Promise.all([one.next(), two.next()]);
    const refused = { kind: "UNAVAILABLE", reason: "TOO_MANY_WATCHES" };
    await expect(watches.open(request(10n), new AbortController().signal, watcher("c")).next()).rejects.toMatchObject(
      refused,
    );
    await one.return();
    await expect(watches.open(request(11n), new AbortController().signal, watcher("c")).next()).rejects.toMatchObject(
      refused,
    );
    await two.return();
    expect(watches.counts()).toEqual({ watches: 0, requests: 0 });
    await settled(searched);
    expect(searched).toEqual([10n]);
  });
});

describe("many watches", () => {
  it("of 200 different requests cost 200 searches for a block, however many they are", async () => {
    const { watches, publish, searched } = setUp();
    const all = Array.from({ length: 2_000 }, (_, i) => follow(watches, request(BigInt(1 + (i % 200)))));
    await settled(searched);
    expect(watches.counts()).toEqual({ watches: 2_000, requests: 200 });
    for (const factor of [3n, 4n, 5n]) {
      searched.length = 0;
      publish({ factor });
      await settled(searched);
      expect(searched).toHaveLength(200);
      expect(new Set(searched).size).toBe(200);
    }
    for (const { seen } of all) expect(told(seen).at(-1)).toMatch(/ at 4$/);
    expect(all.reduce((sum, { seen }) => sum + seen.length, 0)).toBe(2_000 * 4);
    for (const { stop } of all) stop();
    await Promise.all(all.map(({ ended }) => ended));
    expect(watches.counts()).toEqual({ watches: 0, requests: 0 });
  });

  it("are priced at the newest block when blocks come faster than searches", async () => {
    const { watches, publish, searched } = setUp();
    const all = Array.from({ length: 50 }, (_, i) => follow(watches, request(BigInt(1 + i))));
    await settled(searched);
    searched.length = 0;
    for (let block = 0; block < 5; block += 1) {
      publish({ factor: 10n + BigInt(block) });
      await new Promise((resolve) => setImmediate(resolve));
    }
    await settled(searched);
    expect(searched.length).toBeLessThan(5 * 50);
    for (const { seen } of all) expect(told(seen).at(-1)).toMatch(/ at 6$/);
    for (const { stop } of all) stop();
  });
});
