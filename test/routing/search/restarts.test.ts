import { expect, it } from "vitest";
import { netOf } from "../../../src/routing/flow/goal.ts";
import { startingFlow } from "../../../src/routing/paths/starting-flow.ts";
import { addColumns } from "../../../src/routing/search/add-columns.ts";
import { deepSearch, restart } from "../../../src/routing/search/restarts.ts";
import { MESSY_PURCHASE, MESSY_SALE, messyPools } from "../../support/trades/messy-pools.ts";
import { searchOf } from "../../support/trades/search.ts";

it("climbs that begin with other amounts lead to flows that one climb does not find, more of them to others, and never to worse ones", () => {
  let [better, deeper] = [0, 0];
  for (let seed = 0; seed < 40; seed++) {
    for (const order of [MESSY_SALE, MESSY_PURCHASE]) {
      const { kind } = order;
      const search = searchOf(order, messyPools(seed));
      const path = startingFlow(search);
      if (path === undefined) continue;
      const alone = addColumns(search, path);
      const best = restart(search, alone);
      if (alone.stuck > 0) continue;
      const deep = deepSearch(search, best);
      expect(netOf(search, deep), `seed ${seed}, ${kind}`).toBeGreaterThanOrEqual(netOf(search, best));
      if (Math.abs(netOf(search, deep) / netOf(search, best) - 1) > 1e-5) deeper++;
      const gained = netOf(search, best) / netOf(search, alone) - 1;
      expect(kind === "exactIn" ? gained : -gained, `seed ${seed}, ${kind}`).toBeGreaterThanOrEqual(0);
      if (Math.abs(gained) > 1e-3) better++;
    }
  }
  expect(better).toBeGreaterThan(20);
  expect(deeper).toBeGreaterThan(3);
});
