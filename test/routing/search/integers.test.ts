import { expect, test } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { solveSplit } from "../../../src/routing/flow/solve-split.ts";
import { evaluate } from "../../../src/routing/search/integers.ts";
import { edgesOf, searchOf } from "../../support/trades/search.ts";

const [A, B] = [addressOf(1), addressOf(2)];
const UNIT = 10n ** 18n;

test("integers are asked only where floats have a flow for more than what it has to be worth", () => {
  const pools = [pairOf(1, [A, B], [UNIT, UNIT]), pairOf(2, [A, B], [UNIT, 2n * UNIT])];
  const order = { kind: "exactOut", sellToken: A, buyToken: B, buyAmount: UNIT / 10n } as const;
  const search = searchOf(order, pools);
  const flow = solveSplit(search, edgesOf(search), search, new Map());
  if (flow === undefined) throw new Error("no flow");
  const answer = (above?: bigint) => evaluate(search, flow, above);
  const sold = BigInt(Math.round(flow.sellAmount));
  expect(answer()).toHaveProperty("route");
  expect(answer(-2n * sold)).toEqual(answer());
  expect(answer(-sold / 2n)).toEqual({ broken: [] });
});
