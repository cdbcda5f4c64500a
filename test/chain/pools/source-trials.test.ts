import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChainRecord } from "../../../src/chain/chains/chain-record.ts";
import { devnetLayout } from "../../../src/devnet/markets/devnet-layout.ts";
import { FRACTION_ONE, type SwapRequest } from "../../../src/quoting/answer/types.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../../support/worlds/swap-world.ts";

/** Pancake's third version written down as Uniswap's, which its pools call back by another name. */
function pancakeAsUniswap(record: ChainRecord): ChainRecord {
  const venues = record.venues.map((venue) =>
    venue.protocol === "pancakeswap-v3" ? { ...venue, protocol: "uniswap-v3" } : venue,
  );
  return { ...record, venues };
}

let world: SwapWorld;
beforeAll(async () => {
  world = await startSwapWorld({ record: pancakeAsUniswap });
}, 120_000);
afterAll(() => world?.stop());

it("a source whose every trade fails is off with its reason, and routes go without it", {
  timeout: 120_000,
}, async () => {
  const { devnet, chain } = world;
  const off = () => chain.status().sourcesOff;
  for (let blocks = 0; blocks < 60 && off().size === 0; blocks++) {
    await devnet.mine();
    await world.follow();
    // A trial takes a few requests to the node.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect([...off()]).toEqual([
    ["PancakeSwap_V3", expect.stringMatching(/its trades fail when they are tried \(pool 0x/)],
  ]);
  const listed = world.quoting.listSources().find(({ name }) => name === "PancakeSwap_V3");
  expect(listed).toMatchObject({ status: "off" });
  const { graph } = await world.follow();
  expect(graph.all().filter(({ source }) => source === "PancakeSwap_V3")).toEqual([]);

  const layout = devnetLayout(devnet.whale);
  const request: SwapRequest = {
    ...{ sellToken: layout.token("WETH"), buyToken: layout.token("USDH"), slippage: FRACTION_ONE / 100n },
    amount: { kind: "exactIn", sellAmount: 10n ** 18n },
    ...{ sources: { kind: "all" }, taker: testAccount(1), skipValidation: false },
  };
  expect((await world.quote(request)).issues.simulationIncomplete).toBe(false);
  await expect(world.quote({ ...request, sources: { kind: "only", ids: ["PancakeSwap_V3"] } })).rejects.toMatchObject({
    violations: expect.arrayContaining([
      expect.objectContaining({ description: expect.stringMatching(/it is off: its trades fail when they are tried/) }),
    ]),
  });
});
