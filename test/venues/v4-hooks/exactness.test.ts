import { afterAll, beforeAll, test, vi } from "vitest";
import { concentratedExactness, expectCovered } from "../../support/suites/concentrated-exactness.ts";
import { type Anvil, startAnvil } from "../worlds/anvil.ts";
import { deployV4Hooks, HOOKS, MODELS } from "../worlds/singletons/v4-hooks.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const ROUNDS = LONG ? 240 : 4;

/** Few pools of a short run have a gap. */
const LEAST = LONG ? { twoTicks: 0.1, gap: 0.01 } : { twoTicks: 0.1, gap: -1 };

vi.setConfig({ testTimeout: LONG ? 7_200_000 : 180_000 });

let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

for (const [index, model] of MODELS.entries()) {
  test(`${HOOKS[model].model}, ${model}: V4Quoter's to the wei, both ways and kinds`, async ({ annotate }) => {
    const all = await deployV4Hooks(anvil);
    const venue = { ...all, tiers: all.tiers.slice(index, index + 1) };
    const run = { protocol: "uniswap-v4-hooks", rounds: ROUNDS, seed: 701 + index };
    const seen = await concentratedExactness(anvil, venue, run);
    await annotate(JSON.stringify(seen));
    expectCovered(seen, venue, ROUNDS, LEAST);
  });
}
