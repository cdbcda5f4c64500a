import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Address } from "../../src/domain/address.ts";
import { type Route, SHARE_ONE } from "../../src/domain/route.ts";
import { ALL_ON, type SwitchedOff } from "../../src/domain/switches.ts";
import { differenceOf } from "../../src/market/feed/difference.ts";
import { Feed } from "../../src/market/feed/feed.ts";
import type { FeedState, FeedTerms } from "../../src/market/feed/feed-state.ts";
import { FeedFollower } from "../../src/market/feed/follower.ts";
import { warmStartOf } from "../../src/market/known-routes.ts";
import { createMarket, freshnessFor } from "../../src/market/market.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { decodeUpdate, feedEncoder } from "../../src/snapshot/feed-codec.ts";
import { anySavedPool, savedKinds } from "../support/saved-pools.ts";
import { pair, tokenAt } from "./pairs.ts";

const TOKENS = 7;
const WRAPPED = tokenAt(0);
const TERMS: FeedTerms = { chainId: 1, wrappedNative: WRAPPED };
const E18 = 10n ** 18n;
const tokens = Array.from({ length: TOKENS }, (_, index) => tokenAt(index));

const hashOf = (height: number) => `0x${height.toString(16).padStart(64, "0")}` as const;
const poolOf = (index: number, reserve: number): Pool => {
  const [first, second] = [tokenAt(index % TOKENS), tokenAt((index * 3 + 1) % TOKENS)];
  const pool = pair(
    `pool-${index}`,
    first,
    first === second ? tokenAt(TOKENS) : second,
    BigInt(reserve) * E18,
    5_000n * E18,
  );
  return { ...pool, source: index % 2 === 0 ? "Test" : "Other" };
};

/** A market whose blocks are published to a feed. */
function publishing() {
  const market = createMarket({
    ...{ chainId: 1, wrappedNative: WRAPPED, sources: ["Test", "Other"], freshness: freshnessFor(0) },
    eligibility: {
      controllers: new Set<Address>(),
      listed: new Set(tokens.slice(0, 3)),
      unlisted: { minAgeBlocks: 1n, minDepthWei: E18 },
    },
    now: () => 0,
    elapsed: () => 0,
  });
  const defects: unknown[] = [];
  const feed = new Feed(feedEncoder, TERMS, (error) => defects.push(error));
  let height = 0;
  const publish = (rules: { readonly off?: SwitchedOff; readonly keptOut?: FeedState["keptOut"] } = {}) => {
    const { off = ALL_ON, keptOut = new Map() } = rules;
    const current = market.current();
    if ("unavailable" in current) throw new Error(current.unavailable);
    return feed.publish(current.snapshot, { off, keptOut });
  };
  const mine = () => {
    height += 1;
    const block = { number: BigInt(height), hash: hashOf(height), parentHash: hashOf(height - 1) };
    market.publish({ ...block, timestamp: BigInt(1_000 + height) }, BigInt(height), {
      ...{ fixed: BigInt(height), perByte: 2n },
      ...(height % 2 === 0 && { asGas: true as const }),
    });
  };
  return { market, feed, publish, mine, defects };
}

/** Follows a feed; counts the bytes of each message. */
function following(feed: Feed) {
  const follower = new FeedFollower();
  const sizes: number[] = [];
  const end = feed.follow((bytes) => {
    sizes.push(bytes.length);
    follower.take(decodeUpdate(structuredClone(bytes), (slot) => follower.poolAt(slot)));
  });
  return { follower, sizes, end };
}

const settled = async () => {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** A route over one pool, there and back. */
function routeOver(index: number): Route {
  const { id: poolId, source, tokens: held } = poolOf(index, 1);
  const [sellToken, buyToken] =
    index % 2 === 0 ? (held as [Address, Address]) : ([held[1], held[0]] as [Address, Address]);
  const amounts = { sellToken, buyToken, sellAmount: BigInt(index + 1) ** 5n, buyAmount: 7n };
  return { kind: "exactIn", ...amounts, fills: [{ ...amounts, poolId, source, gas: 1n, share: SHARE_ONE }] };
}

/** Known routes that searches of a state begin with, pair by pair. */
function startsIn({ market }: FeedState) {
  return tokens.flatMap((sellToken) =>
    tokens.map((buyToken) => {
      const order = { kind: "exactIn", sellToken, buyToken, sellAmount: 1n } as const;
      return warmStartOf(market, order)?.routes ?? [];
    }),
  );
}

/** All that a search could read of a state. */
function contentOf(state: FeedState) {
  const { market, off, keptOut, sequence } = state;
  const { graph, rates, ...rest } = market;
  return {
    ...{ sequence, off, keptOut },
    market: Object.fromEntries(
      ["chainId", "block", "gasPrice", "dataFee", "mostGas"].map((key) => [key, rest[key as keyof typeof rest]]),
    ),
    ...{ time: graph.time, hubs: graph.hubs(), hops: graph.hops, all: graph.all() },
    slots: graph.chunks().flatMap((chunk, at) => chunk.flatMap((pool, place) => (pool ? [[at, place, pool.id]] : []))),
    byId: graph.all().map(({ id }) => graph.pool(id)),
    byToken: tokens.map((token) => graph.poolsOf(token)),
    byPair: tokens.flatMap((first) => tokens.map((second) => graph.poolsBetween(first, second))),
    rates: tokens.map((token) => rates.perNative(token)),
    starts: startsIn(state),
    volatility: rest.volatility && {
      ...rest.volatility,
      appeared: [...rest.volatility.appeared],
      pools: [...rest.volatility.pools],
    },
  };
}

describe("a market that is followed by its feed", () => {
  it("is the same market after any changes, whenever the follower began", async () => {
    const seen = { removed: 0, hidden: 0, anew: 0, hops: 0, joined: 0, keptOut: 0, starts: 0 };
    const change = fc.oneof(
      {
        weight: 12,
        arbitrary: fc.record({
          kind: fc.constant("set"),
          index: fc.nat(40),
          reserve: fc.integer({ min: 1, max: 9_000 }),
        }),
      },
      { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom("remove", "hide", "release"), index: fc.nat(40) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("find"), index: fc.nat(40) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("anew", "join", "keepOut"), index: fc.nat(5) }) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { maxLength: 12 }), { minLength: 1, maxLength: 8 }),
        async (blocks) => {
          const { market, feed, publish, mine, defects } = publishing();
          const followers = [following(feed)];
          let keptOut: ReadonlyMap<Address, string> = new Map();
          const known: { readonly state: FeedState; readonly content: object }[] = [];
          for (const changes of blocks) {
            for (const one of changes) {
              const id = `pool-${one.index}`;
              if (one.kind === "set") market.pools.set(id, poolOf(one.index, "reserve" in one ? one.reserve : 1));
              if (one.kind === "remove" && market.pools.get(id) !== undefined) seen.removed++;
              if (one.kind === "remove") market.pools.set(id, undefined);
              if (one.kind === "hide") market.quarantine(id, "odd");
              if (one.kind === "release") market.release(id);
              if (one.kind === "find") market.recordRoute(routeOver(one.index), BigInt(known.length));
              if (one.kind === "anew") market.reset("begins anew");
              if (one.kind === "join") followers.push(following(feed));
              if (one.kind === "keepOut")
                keptOut = new Map([...keptOut].slice(1).concat([[tokenAt(one.index), "burns"]]));
              seen.hidden += one.kind === "hide" ? 1 : 0;
              seen.anew += one.kind === "anew" ? 1 : 0;
              seen.joined += one.kind === "join" ? 1 : 0;
            }
            mine();
            const state = publish({ keptOut });
            seen.hops += (state.market.graph.hops?.size ?? 0) > 3 ? 1 : 0;
            seen.starts += startsIn(state).some((start) => start.some(({ uses }) => uses.length > 0)) ? 1 : 0;
            seen.keptOut += keptOut.size > 0 ? 1 : 0;
            known.push({ state, content: contentOf(state) });
            if (changes.length % 3 !== 0) await settled();
          }
          await settled();
          expect(defects).toEqual([]);
          for (const { follower } of followers) {
            expect(contentOf(follower.newest!)).toEqual(contentOf(known.at(-1)!.state));
            for (const { state, content } of known) {
              const followed = follower.state(state.sequence, state.market.block.hash);
              if (follower === followers[0]!.follower) expect(followed).toBeDefined();
              if (followed !== undefined) expect(contentOf(followed)).toEqual(content);
            }
          }
        },
      ),
      { numRuns: 150 },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5);
  });

  it("costs what differs, and not what there is", async () => {
    const { market, feed, publish, mine } = publishing();
    for (let index = 0; index < 2_000; index++) market.pools.set(`pool-${index}`, poolOf(index, 1_000 + index));
    const ticks = Array.from({ length: 900 }, (_, at) => {
      return { index: (at - 450) * 60, liquidityNet: BigInt(at), liquidityGross: BigInt(at) };
    });
    const state = { sqrtPriceX96: 2n ** 96n, tick: 0, liquidity: E18, feePpm: 3_000, tickSpacing: 60, ticks };
    const wide: Pool = { id: "wide", source: "Test", tokens: [tokenAt(1), tokenAt(2)], curve: "concentrated", state };
    market.pools.set("wide", wide);
    mine();
    publish();
    const { follower, sizes } = following(feed);
    await settled();
    for (let turn = 0; turn < 50; turn++) await settled();
    expect(sizes.length).toBeGreaterThan(5);
    expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(100_000);
    sizes.splice(0);
    market.pools.set("pool-7", poolOf(7, 4));
    market.pools.set("wide", { ...wide, state: { ...state, sqrtPriceX96: 2n ** 96n + 5n, liquidity: 2n * E18 } });
    mine();
    const after = publish();
    await settled();
    expect(sizes).toHaveLength(1);
    expect(sizes[0]).toBeLessThan(1_000);
    expect(contentOf(follower.newest!)).toEqual(contentOf(after));
    // An unchanged part stays one object: facts that a search remembers of it stay valid.
    const ticksOf = ({ market: { graph } }: FeedState) => (graph.pool("wide")!.state as typeof state).ticks;
    expect(ticksOf(follower.newest!)).toBe(ticksOf(follower.state(after.sequence - 1, hashOf(1))!));
  });

  it("tells of a switch and of another set of tokens that are kept out without a block", async () => {
    const { market, feed, publish, mine } = publishing();
    market.pools.set("pool-1", poolOf(1, 5));
    const { follower } = following(feed);
    mine();
    publish();
    const off = { source: new Set(["Test"]), pool: new Set(["pool-1"]), token: new Set([tokenAt(2)]) };
    const keptOut = new Map([[tokenAt(3), "takes a fee"]]);
    publish({ off, keptOut });
    await settled();
    expect(follower.newest).toMatchObject({ sequence: 2, off, keptOut });
    publish({ keptOut });
    await settled();
    expect(follower.newest).toMatchObject({ sequence: 3, off: ALL_ON, keptOut });
  });

  it("is told no more once it is over, nor of a state that is the newest already", async () => {
    const { market, feed, publish, mine } = publishing();
    market.pools.set("pool-1", poolOf(1, 5));
    const { sizes, end } = following(feed);
    const other = following(feed);
    mine();
    const rules = { off: ALL_ON, keptOut: new Map() };
    publish(rules);
    publish(rules);
    await settled();
    expect(sizes).toHaveLength(1);
    end();
    mine();
    publish(rules);
    await settled();
    expect(sizes).toHaveLength(1);
    expect(other.sizes).toHaveLength(2);
  });

  it("refuses an update that does not follow on its state, and a state of another block", async () => {
    const { market, feed, publish, mine } = publishing();
    market.pools.set("pool-1", poolOf(1, 5));
    const { follower } = following(feed);
    mine();
    const first = publish();
    mine();
    const second = publish();
    await settled();
    const gap = differenceOf(first, { ...second, sequence: 9 }, TERMS);
    expect(() => follower.take(gap)).toThrow("update 9 follows on 1, not on 2");
    expect(follower.state(1, hashOf(1))).toBeDefined();
    expect(follower.state(1, hashOf(2))).toBeUndefined();
    expect(follower.state(3, hashOf(3))).toBeUndefined();
  });
});

describe("a pool in another state", () => {
  it("is told by the fields that differ, for every curve", () => {
    const seen = new Map<string, number>();
    const two = anySavedPool.chain((before) =>
      fc.tuple(
        fc.constant(before),
        anySavedPool.filter(
          ({ curve, tokens: { length } }) => curve === before.curve && length === before.tokens.length,
        ),
        fc.array(fc.nat(30)),
      ),
    );
    fc.assert(
      fc.property(two, ([before, other, taken]) => {
        const names = Object.keys(other.state).filter((_, index) => taken.includes(index));
        const changes = Object.fromEntries(Object.entries(other.state).filter(([name]) => names.includes(name)));
        // A list that has an entry for each balance is told with the others.
        const pool = {
          ...before,
          state: taken.length % 2 === 0 ? other.state : { ...before.state, ...changes },
        } as Pool;
        const head = { block: { number: 1n, hash: hashOf(1), parentHash: hashOf(0), timestamp: 1n } };
        const update = {
          ...{ sequence: 2, from: 1, pools: [{ slot: 3, before, pool }] },
          head: { ...head, gasPrice: 1n, mostGas: 2n, hubs: [] },
        };
        const [bytes, ...more] = [...feedEncoder.encode(update)];
        expect(more).toEqual([]);
        const [change] = decodeUpdate(bytes!, (slot) => (slot === 3 ? before : undefined)).pools;
        expect(change?.pool ?? before).toEqual(pool);
        seen.set(pool.curve, (seen.get(pool.curve) ?? 0) + 1);
      }),
      { numRuns: 400 },
    );
    expect(seen.size).toBe(savedKinds.length);
  });
});
