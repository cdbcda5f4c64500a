import { afterAll, beforeAll, expect, it } from "vitest";
import type { Provider } from "../../../src/chain/rpc/provider.ts";
import { RpcError } from "../../../src/chain/rpc/provider-errors.ts";
import { createPoolTrial } from "../../../src/quoting/quote/pool-trial.ts";
import { type SwapWorld, startSwapWorld } from "../../support/worlds/swap-world.ts";

/** A node on which no balance can be written over: whoever tries a pool has to borrow what it sells. */
function withoutOverrides(node: Provider): Provider {
  return {
    ...node,
    request: (method, params, options) =>
      method === "eth_call" && params.length > 2
        ? Promise.reject(new RpcError(-32602, "too many arguments"))
        : node.request(method, params, options),
  };
}

let world: SwapWorld;
beforeAll(async () => {
  world = await startSwapWorld({ node: withoutOverrides });
}, 120_000);
afterAll(() => world?.stop());

it("a pool is tried with what others hold, never with what it would have to pay itself", async () => {
  const { settlement, sources, chain } = world;
  const { graph, block } = await world.follow();
  const trial = createPoolTrial({ settlement, runner: chain.runner, sources });
  const pools = [...graph.all()]
    .filter(({ curve }) => curve === "constant-product" || curve === "solidly")
    .slice(0, 12);
  const outcomes = await Promise.all(pools.map(async (pool) => [pool.id, (await trial(pool, block)).kind] as const));
  expect(outcomes.filter(([, kind]) => kind === "fails")).toEqual([]);
  expect(outcomes.filter(([, kind]) => kind === "works").length).toBeGreaterThan(outcomes.length / 2);
});
