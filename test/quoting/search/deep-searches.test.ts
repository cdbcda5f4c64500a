import { describe, expect, it, vi } from "vitest";
import { createRandom } from "../../../fixtures/random.ts";
import type { Route } from "../../../src/domain/route.ts";
import { DeepSearches } from "../../../src/quoting/search/deep-searches.ts";
import type { RouteQuery } from "../../../src/quoting/search/route-search.ts";
import type { RouteResult } from "../../../src/routing/router.ts";
import { anyQuery, searchBlocks } from "../../support/worlds/search-blocks.ts";

const [FIRST, SECOND, THIRD] = searchBlocks(3) as [
  RouteQuery["snapshot"],
  RouteQuery["snapshot"],
  RouteQuery["snapshot"],
];

/** So many requests at a block, each for another amount. */
function queriesAt(snapshot: RouteQuery["snapshot"], count: number): readonly RouteQuery[] {
  const query = anyQuery(snapshot, createRandom(3));
  return Array.from({ length: count }, (_, n) => {
    const amount = 10n ** 6n * 4n ** BigInt(n);
    const { sellToken, buyToken } = query.order;
    return { ...query, order: { kind: "exactIn", sellToken, buyToken, sellAmount: amount } };
  });
}

const routeFor = ({ order }: RouteQuery) => ({ ...order, fills: [] }) as unknown as Route;
const amountOf = ({ order }: RouteQuery) => (order.kind === "exactIn" ? order.sellAmount : order.buyAmount);

function open(answer: (query: RouteQuery) => RouteResult | undefined) {
  const searched: RouteQuery[] = [];
  const recorded: { route: Route; block: bigint }[] = [];
  const onDefect = vi.fn();
  const deep = new DeepSearches({
    mostPerBlock: 8,
    findSpare: async (query) => {
      searched.push(query);
      return answer(query);
    },
    record: (route, block) => void recorded.push({ route, block }),
    onDefect,
  });
  const settled = () => new Promise((done) => setImmediate(done));
  return { deep, searched, recorded, onDefect, settled };
}

const found = (query: RouteQuery): RouteResult => ({ found: true, route: routeFor(query) });

describe("deep searches beside requests", () => {
  it("are made at the next block for what was asked at one, whatever came first, and recorded there", async () => {
    const queries = queriesAt(FIRST, 4);
    const orders = [queries, queries.toReversed()].map(async (asked) => {
      const { deep, searched, recorded, settled } = open(found);
      for (const query of asked) deep.asked(query);
      deep.follow(SECOND);
      await settled();
      expect(searched.every(({ snapshot, isDeep }) => snapshot === SECOND && isDeep === true)).toBe(true);
      expect(recorded.map(({ block }) => block)).toEqual(queries.map(() => SECOND.block.number));
      deep.follow(THIRD);
      await settled();
      return searched.map(amountOf);
    });
    const [one, other] = await Promise.all(orders);
    expect(one).toEqual(other);
    expect(new Set(one)).toEqual(new Set(queries.map(amountOf)));
  });

  it("are one for each size of amount, of the eight asked for last", async () => {
    const { deep, searched, settled } = open(found);
    const queries = queriesAt(FIRST, 20);
    for (const query of [...queries, ...queries]) deep.asked(query);
    deep.follow(SECOND);
    await settled();
    expect(searched).toHaveLength(8);
    expect(new Set(searched.map(amountOf))).toEqual(new Set(queries.slice(-8).map(amountOf)));
  });

  it("end for a block once a request wants the threads, and go on at the next", async () => {
    let isBusy = true;
    const { deep, searched, recorded, settled } = open((query) => (isBusy ? undefined : found(query)));
    for (const query of queriesAt(FIRST, 3)) deep.asked(query);
    deep.follow(SECOND);
    await settled();
    expect(searched).toHaveLength(1);
    isBusy = false;
    for (const query of queriesAt(SECOND, 3)) deep.asked(query);
    deep.follow(THIRD);
    await settled();
    expect(recorded).toHaveLength(3);
  });

  it("tell of a search that throws, and go on at the next block", async () => {
    let isBroken = true;
    const { deep, recorded, onDefect, settled } = open((query) => {
      if (isBroken) throw new Error("a defect");
      return found(query);
    });
    deep.asked(queriesAt(FIRST, 1)[0] as RouteQuery);
    deep.follow(SECOND);
    await settled();
    expect(onDefect).toHaveBeenCalledOnce();
    isBroken = false;
    deep.asked(queriesAt(SECOND, 1)[0] as RouteQuery);
    deep.follow(THIRD);
    await settled();
    expect(recorded).toHaveLength(1);
  });
});
