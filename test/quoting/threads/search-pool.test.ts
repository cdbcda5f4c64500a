import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRandom } from "../../../fixtures/random.ts";
import { ALL_ON } from "../../../src/domain/switches.ts";
import { Feed } from "../../../src/market/feed/feed.ts";
import { marketOf } from "../../../src/market/feed/feed-state.ts";
import { PAST_BLOCKS } from "../../../src/market/past-blocks.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import type { RouteQuery, Searcher } from "../../../src/quoting/search/route-search.ts";
import { requestOf } from "../../../src/quoting/search/search-in-thread.ts";
import { createRouter } from "../../../src/routing/create-router.ts";
import { feedEncoder } from "../../../src/snapshot/feed-codec.ts";
import { SearchPool } from "../../../src/threads/search-pool.ts";
import { anyQuery, SEARCH_TERMS, searchBlocks } from "../../support/worlds/search-blocks.ts";

const ENTRY = new URL("dying-worker.ts", import.meta.url);
const BLOCKS = searchBlocks(PAST_BLOCKS + 40);
const [FIRST] = BLOCKS as readonly [(typeof BLOCKS)[number]];
const RULES = { off: ALL_ON, keptOut: new Map() };

let folder: string;
const pools: SearchPool[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "search-pool-"));
  vi.stubEnv("DYING_WORKER_MARK", join(folder, "mark"));
});
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.stop();
  rmSync(folder, { recursive: true });
});

function open(threads = 1) {
  const lines: string[] = [];
  const feed = new Feed(feedEncoder, SEARCH_TERMS, (error) => {
    throw error;
  });
  const logger = createLogger("info", { write: (line) => void lines.push(line) });
  const pool = new SearchPool({ threads, entry: ENTRY, feed, logger, now: Date.now });
  pools.push(pool);
  feed.publish(marketOf(FIRST), RULES);
  return { pool, feed, lines };
}

/** Most fills of a query that is searched until it is cancelled. */
const ENDLESS = 7;

const caller = (more: Partial<Searcher> = {}): Searcher => ({ signal: new AbortController().signal, ...more });

/** Queries with an easy answer, by their block: each takes a few searches of a router that has seen nothing. */
const EASY = new Map<unknown, RouteQuery>();

/** A query that the thread dies of as the number says; 128 is a plain one. */
function query(maxFills = 128, snapshot = FIRST): RouteQuery {
  const easy = EASY.get(snapshot) ?? easyQuery(snapshot);
  EASY.set(snapshot, easy);
  return { ...easy, budget: { ...easy.budget, maxFills } };
}

function easyQuery(snapshot: typeof FIRST): RouteQuery {
  const random = createRandom(5);
  for (;;) {
    const { pools, ...asked } = anyQuery(snapshot, random);
    const plain = {
      ...asked,
      snapshot,
      pools: { sources: { kind: "all" }, without: new Set<string>(), ...RULES },
    } as const;
    const found = createRouter().findBest(requestOf(plain, { expired: () => false }));
    if (found.found && found.route.fills.length <= 2) return plain;
  }
}

const ANSWER = createRouter().findBest(requestOf(query(), { expired: () => false }));
const routeOf = (result: typeof ANSWER) => (result.found ? result.route : undefined);

describe("a thread that ends in the middle of a search", () => {
  it.each([
    ["exits", 2],
    ["runs out of memory", 3],
    ["throws", 6],
  ])("because it %s is replaced, and the search is answered by another", async (_, maxFills) => {
    const { pool, lines } = open();
    const result = await pool.begin(caller()).findBest(query(maxFills));
    expect(routeOf(result)).toEqual(routeOf(ANSWER));
    expect(pool.figures()).toMatchObject({ threads: 1, busy: 0, waiting: 0, restarts: 1 });
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      "a search thread has ended: another one takes its place",
    ]);
    expect(await pool.begin(caller()).findBest(query())).toEqual(ANSWER);
  });

  it("since it never comes to an end counts as ended once its caller's time is long up", async () => {
    const { pool } = open();
    const late = { expired: () => true };
    const result = await pool.begin(caller({ deadlineMs: Date.now() - 1 })).findBest(query(4));
    expect(result).toEqual(createRouter().findBest(requestOf(query(4), late)));
    expect(pool.figures().restarts).toBe(1);
  });

  it("twice is a refusal with a time to try again, and others are answered", async () => {
    const { pool } = open(2);
    const asked = [query(1), query(), query(), query(1), query()].map((each) =>
      pool
        .begin(caller())
        .findBest(each)
        .then(routeOf, (error) => `${error.kind} ${error.retryAfterSeconds}`),
    );
    const [first, ...others] = await Promise.all(asked);
    expect([first, others[2]]).toEqual(["UNAVAILABLE 1", "UNAVAILABLE 1"]);
    for (const index of [0, 1, 3]) expect(others[index]).toEqual(routeOf(ANSWER));
    expect(pool.figures().restarts).toBe(4);
  });
});

describe("a search in a thread", () => {
  it("that throws is thrown to its caller, and the thread goes on", async () => {
    const { pool } = open();
    await expect(pool.begin(caller()).findBest(query(5))).rejects.toThrow("the router is at fault");
    expect(await pool.begin(caller()).findBest(query())).toEqual(ANSWER);
    expect(pool.figures().restarts).toBe(0);
  });

  it("is never of another block: one that is too far back is refused", async () => {
    const { pool, feed } = open();
    for (const [at, block] of BLOCKS.entries()) {
      feed.publish(marketOf(block), RULES);
      // States that come faster than they are sent are passed over.
      if (at % 32 === 31) await pool.begin(caller()).findBest(query(128, block));
    }
    await expect(pool.begin(caller()).findBest(query(128, BLOCKS[0]))).rejects.toMatchObject({ kind: "UNAVAILABLE" });
    // Nor is one told that nobody has published: those who follow would take it for the newest.
    const unpublished = { ...BLOCKS[9]!, graph: { ...BLOCKS[9]!.graph } };
    await expect(pool.begin(caller()).findBest(query(128, unpublished))).rejects.toMatchObject({ kind: "UNAVAILABLE" });
    const later = query(128, BLOCKS[9]);
    const wanted = createRouter().findBest(requestOf(later, { expired: () => false }));
    expect(await pool.begin(caller()).findBest(later)).toEqual(wanted);
  });

  it("is over for a caller that leaves, whether it waits or runs", async () => {
    const { pool } = open();
    const leaving = Array.from({ length: 6 }, () => new AbortController());
    const asked = leaving.map(({ signal }) =>
      pool
        .begin({ signal })
        .findBest(query())
        .then(
          () => "answered",
          (error) => error.kind,
        ),
    );
    await new Promise((resolve) => setImmediate(resolve));
    for (const one of leaving) one.abort();
    const ends = await Promise.all(asked);
    expect(ends.filter((end) => end === "DEADLINE_EXCEEDED").length).toBeGreaterThanOrEqual(4);
    expect(pool.figures().waiting).toBe(0);
    await expect(pool.begin({ signal: leaving[0]!.signal }).pass()).rejects.toMatchObject({
      kind: "DEADLINE_EXCEEDED",
    });
  });

  it("is refused while no thread can be started, and made once one can", async () => {
    vi.stubEnv("DYING_WORKER_NEVER_STARTS", "1");
    const { pool } = open();
    await expect(pool.begin(caller()).findBest(query())).rejects.toMatchObject({ kind: "UNAVAILABLE" });
    await expect(pool.turns.begin("").pass()).rejects.toMatchObject({ kind: "UNAVAILABLE" });
    vi.stubEnv("DYING_WORKER_NEVER_STARTS", undefined);
    await vi.waitFor(async () => expect(await pool.begin(caller()).findBest(query())).toEqual(ANSWER), {
      timeout: 30_000,
      interval: 100,
    });
  });

  it("is refused once the service ends, also where it runs", async () => {
    const { pool } = open();
    const asked = [query(), query()].map((each) =>
      pool
        .begin(caller())
        .findBest(each)
        .catch((error) => error.kind),
    );
    await new Promise((resolve) => setImmediate(resolve));
    await pool.stop();
    expect(await Promise.all(asked)).toEqual(["UNAVAILABLE", "UNAVAILABLE"]);
    expect(pool.figures().threads).toBe(0);
  });
});

describe("a search that nobody waits for", () => {
  it("is made where a thread is idle, and is as good as any", async () => {
    const { pool } = open();
    // The thread is there once it has answered.
    await pool.begin(caller()).findBest(query());
    expect(await pool.findSpare(query())).toEqual(ANSWER);
  });

  it("gives way to a request, and is not begun while one is searched", async () => {
    const { pool } = open();
    // The thread is there once it has answered.
    await pool.begin(caller()).findBest(query());
    // This one never comes to an end by itself.
    const spare = pool.findSpare(query(ENDLESS));
    const result = await pool.begin(caller()).findBest(query());
    expect(result).toEqual(ANSWER);
    expect(await spare).toBeUndefined();
    const running = pool.begin(caller()).findBest(query());
    await Promise.resolve();
    expect(await pool.findSpare(query())).toBeUndefined();
    await running;
  });
});
