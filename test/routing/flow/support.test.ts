import { expect, test } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { supportOf, tooFar } from "../../../src/routing/flow/support.ts";
import { edgesIn, searchOf } from "../../support/trades/search.ts";

const TOKENS = [1, 2, 3, 4, 5, 6].map((n) => addressOf(n));
const E18 = 10n ** 18n;

const pool = (n: number, from: number, to: number): Pool =>
  pairOf(n, [TOKENS[from] as Pool["tokens"][0], TOKENS[to] as Pool["tokens"][0]], [1000n * E18, 1000n * E18]);

/** A chain of five pools, and what else there is; the edges of the chain alone that lie too far off, by their tokens. */
function farOnChain(others: readonly Pool[]): readonly string[] {
  const chain = [0, 1, 2, 3, 4].map((from) => pool(10 + from, from, from + 1));
  const [sellToken, buyToken] = [TOKENS[0] as Pool["tokens"][0], TOKENS[5] as Pool["tokens"][0]];
  const search = searchOf({ kind: "exactIn", sellToken, buyToken, sellAmount: E18 }, [...chain, ...others]);
  const nodes = TOKENS.map((token) => search.graph.nodeOf(token) as number);
  const names = new Set(chain.map(({ id }) => id));
  const edges = edgesIn(search.graph).filter(
    (edge) => names.has(edge.pool.id) && nodes.indexOf(edge.from) < nodes.indexOf(edge.to),
  );
  const support = supportOf(search, edges);
  if (support === undefined) throw new Error("the chain is a cycle");
  return [...tooFar(search, support)].map(({ from, to }) => `${nodes.indexOf(from)}>${nodes.indexOf(to)}`).sort();
}

test("a pool of a route lies near enough by paths over pools of the route and others", () => {
  expect(farOnChain([])).toEqual(["0>1", "1>2", "2>3", "3>4", "4>5"]);
  // From the end of the chain's second pool one that the route does not use leads on, two pools from the bought token.
  expect(farOnChain([pool(20, 2, 4)])).toEqual(["2>3", "3>4", "4>5"]);
  expect(farOnChain([pool(21, 1, 3)])).toEqual(["0>1", "1>2", "2>3"]);
  expect(farOnChain([pool(20, 2, 4), pool(21, 1, 3)])).toEqual(["2>3"]);
});
