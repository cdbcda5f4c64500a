import { ALL_ON } from "../../../src/domain/switches.ts";
import { Feed } from "../../../src/market/feed/feed.ts";
import { marketOf } from "../../../src/market/feed/feed-state.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { createSearchInThread } from "../../../src/quoting/search/search-in-thread.ts";
import { createThreadTurns } from "../../../src/quoting/search/thread-turns.ts";
import { createRouter } from "../../../src/routing/create-router.ts";
import { feedEncoder } from "../../../src/snapshot/feed-codec.ts";
import { SearchPool } from "../../../src/threads/search-pool.ts";
import { SEARCH_TERMS } from "../../support/worlds/search-blocks.ts";
import { describeRouteSearch, type SearchUnderTest } from "../search/route-search.suite.ts";

const ENTRY = new URL("../../../src/compose/worker.ts", import.meta.url);

describeRouteSearch("on the thread that asks", () => ({
  search: createSearchInThread(
    createRouter(),
    createThreadTurns(() => performance.now()),
    Date.now,
  ),
  publish: () => {},
  stop: async () => {},
}));

function inThreads(threads: number): SearchUnderTest {
  const feed = new Feed(feedEncoder, SEARCH_TERMS, (error) => {
    throw error;
  });
  const rules = { off: ALL_ON, keptOut: new Map() };
  const logger = createLogger("silent");
  const pool = new SearchPool({ threads, entry: ENTRY, feed, logger, now: Date.now });
  return { search: pool, publish: (snapshot) => void feed.publish(marketOf(snapshot), rules), stop: () => pool.stop() };
}

describeRouteSearch("in a thread of its own", () => inThreads(1));
describeRouteSearch("in two threads", () => inThreads(2));
