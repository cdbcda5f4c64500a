import { expect, it } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { graphOf } from "../../../fixtures/routing/request.ts";
import type { Address } from "../../../src/domain/address.ts";
import { createEdgeStore } from "../../../src/routing/graph/edge-store.ts";
import { Workspace } from "../../../src/routing/session/workspace.ts";

it("what can go through pools that gain follows the blocks, and no request before", () => {
  const blocks = [0, 1, 2, 3].map((block) => {
    const random = randomOf(block);
    const pools = Array.from({ length: 40 }, (_, n) => {
      const names = [n % 7, 7 + (n % 6)].map((token) => addressOf(token + 1)) as [Address, Address];
      const held = 10 ** (18 + 4 * random());
      const reserves = [held, held * (0.9 + 0.2 * random())].map((amount) => BigInt(Math.floor(amount)));
      return pairOf(n, names, reserves as [bigint, bigint]);
    });
    return graphOf(pools, 1_700_000_000n + BigInt(block));
  });
  const [store, workspace] = [createEdgeStore(), new Workspace()];
  let known = 0;
  for (const block of blocks) {
    const followed = store.graph(block);
    const fresh = createEdgeStore().graph(block);
    const through = workspace.throughOf(followed);
    const anew = new Workspace().throughOf(fresh);
    expect(followed.restless.length).toBeGreaterThan(0);
    for (let slot = 0; slot < followed.spot.length; slot++) {
      expect(through.arriving(slot)).toBe(anew.arriving(slot));
      expect(through.leaving(slot)).toBe(anew.leaving(slot));
      if (through.arriving(slot) < Number.POSITIVE_INFINITY) known++;
    }
  }
  expect(known).toBeGreaterThan(20);
});
