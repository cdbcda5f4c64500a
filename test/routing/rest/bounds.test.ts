import { describe, expect, it } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { graphOf } from "../../../fixtures/routing/request.ts";
import type { Address } from "../../../src/domain/address.ts";
import { createEdgeStore } from "../../../src/routing/graph/edge-store.ts";
import { type Bounds, createBounds } from "../../../src/routing/rest/bounds.ts";
import { eliminate } from "../../../src/routing/rest/elimination.ts";

/** Pools between random ones of so many tokens, of many sizes, at rates around 1. */
function graphAmong(tokens: number, pools: number, random: () => number) {
  const upTo = (most: number) => Math.floor(most * random());
  const all = Array.from({ length: pools }, (_, n) => {
    const first = upTo(tokens);
    const second = (first + 1 + upTo(tokens - 1)) % tokens;
    const held = 10 ** (18 + 4 * random());
    const reserves = [held, held * (0.99 + 0.02 * random())].map((amount) => BigInt(Math.floor(amount)));
    const names = [first, second].map((token) => addressOf(token + 1));
    return pairOf(n, names as [Address, Address], reserves as [bigint, bigint]);
  });
  return createEdgeStore().graph(graphOf(all), []);
}

describe("bounds between prices", () => {
  it("are the same to the bit as worked out from nothing, whatever prices and pools have changed", () => {
    let compared = 0;
    let changed = 0;
    for (let seed = 0; seed < 12; seed++) {
      const random = randomOf(seed);
      const upTo = (most: number) => Math.floor(most * random());
      const graph = graphAmong(6 + upTo(40), 150, random);
      const { through, start, live, spot, spotBack, width, twin } = graph;
      const elimination = eliminate(graph);
      const seen = ({ bands, least }: Bounds) =>
        Array.from(elimination.to, (_, link) =>
          Array.from({ length: bands }, (_, band) => [least(link, band, 0), least(link, band, 1)]),
        ).flat(2);
      const prices = Float64Array.from(graph.rest);
      const followed = createBounds(graph, elimination);
      followed.follow(prices);
      let before = seen(followed);
      for (let block = 0; block < 40; block++) {
        const touched: number[] = [];
        const node = through[upTo(through.length)] as number;
        // Now a price, now a pool, now both; by a little, or by far.
        const far = random() < 0.3 ? 1 : 1e-3;
        if (block % 3 !== 0) prices[node]! *= 1 + far * (random() - 0.5);
        if (block % 3 !== 1) {
          const slot = (start[node] as number) + upTo((live[node] as number) - (start[node] as number));
          const back = twin[slot] as number;
          spot[slot]! *= 1 + 1e-3 * (random() - 0.5);
          width[slot]! *= 1 + far * (random() - 0.5);
          spotBack[back] = spot[slot] as number;
          touched.push(slot, back);
        }
        followed.follow(prices, touched);
        const fresh = createBounds(graph, elimination);
        fresh.follow(prices);
        const now = seen(followed);
        expect(now).toEqual(seen(fresh));
        compared++;
        if (now.some((bound, i) => bound !== before[i])) changed++;
        before = now;
      }
    }
    expect(changed).toBeGreaterThan(compared / 4);
  });
});
