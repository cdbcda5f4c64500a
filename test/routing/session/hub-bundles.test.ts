import { expect, it } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { addressOf, concentratedOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { graphOf } from "../../../fixtures/routing/request.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { createEdgeStore } from "../../../src/routing/graph/edge-store.ts";
import type { HubBundles } from "../../../src/routing/session/hub-bundles.ts";
import type { Search } from "../../../src/routing/session/search.ts";
import { Workspace } from "../../../src/routing/session/workspace.ts";

const TOKENS = 5;
/** Pools of each pair of tokens. */
const PARALLEL = 8;

/** A pool between two of the tokens; one in twelve has nothing to trade. */
function poolAt(n: number, random: () => number): Pool {
  const pair = Math.floor(n / PARALLEL);
  const names = [pair % TOKENS, (pair + 1 + Math.floor(pair / TOKENS)) % TOKENS].map((token) => addressOf(token + 1));
  const held = 10 ** (18 + 2 * random());
  const reserves = random() < 1 / 12 ? [0, 0] : [held, held * (0.99 + 0.02 * random())];
  const amounts = reserves.map((amount) => BigInt(Math.floor(amount))) as [bigint, bigint];
  if (n % 3 > 0) return pairOf(n, names as [Address, Address], amounts);
  const [first, second] = names.sort() as [Address, Address];
  return concentratedOf(n, [first, second], Math.floor(100 * random()), amounts[0]);
}

/** Output of the bundles between all tokens at some rates, and the curves that are in none. */
function paidBy(bundles: HubBundles): unknown[] {
  const search = { work: { steps: 0 }, allowsSlot: () => true } as unknown as Search;
  const trade = new Float64Array(3);
  return bundles.hubs.flatMap((from) =>
    bundles.hubs.map((to) => {
      const { bundle, others } = bundles.between(search, from, to);
      if (bundle === undefined) return [others];
      const trades = [0.99, 0.9, 0.5].map((part) => {
        bundle.tradeAt(part * Math.sqrt(bundle.spot), trade);
        return [...trade];
      });
      return [others, bundle.slots, bundle.spot, bundle.depth, trades];
    }),
  );
}

it("bundles follow the blocks, those in which no search asked for them as well", () => {
  const random = randomOf(1);
  const pools = Array.from({ length: PARALLEL * 2 * TOKENS }, (_, n) => poolAt(n, random));
  const [store, workspace] = [createEdgeStore(), new Workspace()];
  let before: unknown[] = [];
  let [compared, others] = [0, 0];
  for (let block = 0; block < 80; block++) {
    for (let moved = 0; moved < 3; moved++) {
      const n = Math.floor(pools.length * random());
      pools[n] = poolAt(n, random);
    }
    const graph = store.graph(graphOf([...pools], 1_700_000_000n + BigInt(block)));
    // Every second block has no search that asks for bundles.
    if (block % 2 === 1) continue;
    const now = paidBy(workspace.bundlesOf(graph));
    const anew = createEdgeStore().graph(graphOf([...pools]));
    expect(now).toEqual(paidBy(new Workspace().bundlesOf(anew)));
    compared++;
    if (JSON.stringify(now) !== JSON.stringify(before)) others++;
    before = now;
  }
  expect(others).toBe(compared);
});
