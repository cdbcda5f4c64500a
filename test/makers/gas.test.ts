import { afterAll, beforeAll, expect, it } from "vitest";
import { FRACTION_ONE, type SwapRequest } from "../../src/quoting/answer/types.ts";
import { execute } from "../promise/execute.ts";
import { type MakerWorld, startMakerWorld, TAKER } from "./maker-world.ts";

const ONE = 10n ** 18n;
let world: MakerWorld;
beforeAll(async () => {
  world = await startMakerWorld(["Alpha"]);
}, 120_000);
afterAll(() => world?.stop());

/** A quote over the one maker alone. */
function quote(sell: string, buy: string, amount: SwapRequest["amount"]) {
  return world.quote({
    sellToken: world.layout.token(sell),
    buyToken: world.layout.token(buy),
    amount,
    slippage: FRACTION_ONE / 100n,
    sources: { kind: "only", ids: ["Alpha"] },
    skipValidation: false,
    taker: TAKER,
  });
}

it("the gas of a maker's order is within 5 % of what its transaction uses", async () => {
  for (const aboveBps of [60n, -60n]) {
    await world.show({ Alpha: await world.scripted.books([["WETH", "USDH"]], aboveBps) });
    const [sell, buy] = aboveBps > 0n ? (["WETH", "USDH"] as const) : (["USDH", "WETH"] as const);
    for (const amount of [
      { kind: "exactIn", sellAmount: sell === "WETH" ? ONE : 2_000_000_000n },
      { kind: "exactOut", buyAmount: sell === "WETH" ? 2_000_000_000n : ONE },
    ] as const) {
      const answer = await quote(sell, buy, amount);
      expect(answer.orders).toHaveLength(1);
      const { receipt } = await execute(world, answer, TAKER);
      const fills = answer.orders.map(({ makerToken, takerToken, makerAmount, takerAmount, source, fill }) => {
        const tokens = { sellToken: takerToken, buyToken: makerToken };
        return {
          ...tokens,
          sellAmount: takerAmount,
          buyAmount: makerAmount,
          source,
          poolId: "",
          share: 1n,
          gas: fill.gas,
        };
      });
      const ends = { sellToken: fills[0]!.sellToken, buyToken: fills[0]!.buyToken };
      const route = { kind: "exactIn", ...ends, sellAmount: 1n, buyAmount: 1n, fills } as const;
      const modelled = world.settlement.gas(route, {
        ...ends,
        ...{ maxSellAmount: 1n, minBuyAmount: 1n, deadline: 0n, recipient: TAKER },
      });
      expect(Math.abs(Number(modelled) / Number(receipt.gasUsed) - 1)).toBeLessThan(0.05);
    }
  }
});
