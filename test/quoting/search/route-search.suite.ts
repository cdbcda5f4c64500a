import { afterAll, describe, expect, it } from "vitest";
import { createRandom } from "../../../fixtures/random.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import { fillsOf } from "../../../src/domain/route.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import type { RequestSearch, RouteQuery, RouteSearch, Searcher } from "../../../src/quoting/search/route-search.ts";
import { requestOf } from "../../../src/quoting/search/search-in-thread.ts";
import { createRouter } from "../../../src/routing/create-router.ts";
import type { KnownRoute, RouteResult } from "../../../src/routing/router.ts";
import { anyQuery, searchBlocks } from "../../support/worlds/search-blocks.ts";

/** A search over a market whose blocks it is told of. */
export interface SearchUnderTest {
  readonly search: RouteSearch;
  publish(snapshot: Snapshot): void;
  stop(): Promise<void>;
}

const RUNS = 60;
const BLOCKS = searchBlocks(4);

/** Holds every implementation of RouteSearch to the same. */
export function describeRouteSearch(name: string, create: () => SearchUnderTest): void {
  describe(`a search ${name}`, () => {
    const blocks = BLOCKS;
    const { search, publish, stop } = create();
    afterAll(stop);
    const caller = (more: Partial<Searcher> = {}): Searcher => ({ signal: new AbortController().signal, ...more });
    const easy = (snapshot: Snapshot, seed = 1): RouteQuery => {
      const random = createRandom(seed);
      for (;;) {
        const query = anyQuery(snapshot, random);
        if (query.order.kind === "exactIn" && fresh(query).result.found) return query;
      }
    };

    it("answers as the router does, to the byte, for every block that it was told of and in as many steps", async () => {
      const random = createRandom(20_261_127);
      const seen = { found: 0, none: 0, older: 0, offers: 0, exactOut: 0, filtered: 0, any: 0 };
      publish(blocks[0]!);
      for (let run = 0; run < RUNS; run++) {
        const newest = Math.floor((run * blocks.length) / RUNS);
        if (run > 0) publish(blocks[newest]!);
        const at = random.below(newest + 1);
        const query = anyQuery(blocks[at]!, random);
        const spent: number[] = [];
        const result = await search.begin(caller({ spent: (steps) => spent.push(steps) })).findBest(query);
        const wanted = fresh(query);
        expect(result).toEqual(wanted.result);
        expect(spent).toEqual(wanted.spent);
        seen[result.found ? "found" : "none"]++;
        seen.older += at < newest ? 1 : 0;
        seen.offers += query.snapshot.offers === undefined ? 0 : 1;
        seen.exactOut += query.order.kind === "exactOut" ? 1 : 0;
        seen.filtered += query.pools.without.size + query.pools.keptOut.size > 0 ? 1 : 0;
        seen.any += query.isAnyEnough === true ? 1 : 0;
      }
      for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5);
    });

    it("answers many at once, each its own question", async () => {
      const random = createRandom(3);
      // Further fields of a caller's budget are its own.
      const more = { expired: () => true };
      const queries = Array.from({ length: 24 }, (_, index) => {
        const query = anyQuery(blocks[index % 4]!, random);
        return { ...query, budget: { ...query.budget, ...(index % 2 === 0 && more) } };
      });
      const asked = queries.map((query, index) => search.begin(caller({ account: `${index % 5}` })).findBest(query));
      const results = await Promise.all(asked);
      expect(results).toEqual(queries.map((query) => fresh(query).result));
    });

    it("begins with routes for other amounts as the router does, and tells what proves its own", async () => {
      const random = createRandom(11);
      const seen = { known: 0, begun: 0 };
      for (let run = 0; run < 40; run++) {
        const { isAnyEnough: _, ...query } = anyQuery(blocks[3]!, random);
        const ends = [1n, 3n].map((times): RouteQuery => ({ ...query, order: timesOf(query.order, times), known: [] }));
        const own = search.begin(caller());
        const results = await Promise.all(ends.map((end) => own.findBest(end)));
        expect(results).toEqual(ends.map((end) => fresh(end).result));
        const known = results.flatMap((result): readonly KnownRoute[] => {
          if (!result.found) return [];
          const { sellAmount, buyAmount } = result.route;
          const { proof } = result;
          return [{ sellAmount, buyAmount, uses: fillsOf(result.route), ...(proof && { proof }) }];
        });
        const alone = { ...query, order: timesOf(query.order, 2n) };
        const between = { ...alone, known };
        const spent: number[] = [];
        const result = await search.begin(caller({ spent: (steps) => spent.push(steps) })).findBest(between);
        const wanted = fresh(between);
        expect(result).toEqual(wanted.result);
        expect(spent).toEqual(wanted.spent);
        seen.known += known.filter(({ proof }) => proof !== undefined).length;
        seen.begun += wanted.spent[0] === fresh(alone).spent[0] ? 0 : 1;
      }
      expect(seen.known).toBeGreaterThan(20);
      expect(seen.begun).toBeGreaterThan(5);
    });

    it("ends early for a caller whose time is up, with what it has, and says so", async () => {
      const own = search.begin(caller({ deadlineMs: Date.now() - 1 }));
      expect(own.isOver()).toBe(true);
      const query = easy(blocks[0]!);
      expect(await own.findBest(query)).toEqual(createRouter().findBest(requestOf(query, { expired: () => true })));
      expect(search.begin(caller()).isOver()).toBe(false);
    });

    it("gives the next turn to the account that has used least", async () => {
      const order: string[] = [];
      const ask = async (account: string, own: RequestSearch) => {
        await own.findBest(easy(blocks[0]!));
        order.push(account);
      };
      const own = search.begin(caller({ account: "busy" }));
      const asked = Array.from({ length: 10 }, () => ask("busy", own));
      await Promise.resolve();
      asked.push(ask("other", search.begin(caller({ account: "other" }))));
      await Promise.all(asked);
      expect(order.indexOf("other")).toBeLessThan(4);
    });

    it("grants a turn once, and knows where accounts stand", async () => {
      const account = "counted";
      await search.turns.begin(account).pass();
      const before = search.turns.of(account);
      await search.begin(caller({ account })).findBest(easy(blocks[0]!));
      expect(search.turns.of(account)).toBeGreaterThan(before);
    });
  });
}

function timesOf(order: SwapOrder, times: bigint): SwapOrder {
  return order.kind === "exactIn"
    ? { ...order, sellAmount: order.sellAmount * times }
    : { ...order, buyAmount: order.buyAmount * times };
}

interface Answer {
  readonly result: RouteResult;
  readonly spent: readonly number[];
}

/** Earlier answers, by the seed's queries: every implementation gets the same queries. */
const ANSWERS = new Map<string, Answer>();

/** The answer of a router that has seen nothing before. */
function fresh(query: RouteQuery): Answer {
  const { snapshot, pools, ...rest } = query;
  const parts = [snapshot.block.hash, snapshot.offers?.pools, pools.sources, [...pools.without], pools.withoutMakers];
  const rules = [[...pools.keptOut], [...pools.off.pool]];
  const key = JSON.stringify([rest, parts, rules], (_, value) => (typeof value === "bigint" ? `${value}n` : value));
  const known = ANSWERS.get(key);
  if (known !== undefined) return known;
  const spent: number[] = [];
  const result = createRouter().findBest(
    requestOf(query, { expired: () => false, spent: (steps) => void spent.push(steps) }),
  );
  ANSWERS.set(key, { result, spent });
  return { result, spent };
}
