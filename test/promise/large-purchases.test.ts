import { expect, it } from "vitest";
import { mathOf } from "../../src/pools/pool.ts";
import { FRACTION_ONE, type SwapRequest } from "../../src/quoting/answer/types.ts";
import { testAccount } from "../support/worlds/swap-world.ts";
import { execute } from "./execute.ts";
import { useOutfittedWorld } from "./outfitted-world.ts";
import { DEVNET_TOKENS } from "./random/random-request.ts";

/** The promise where a purchase takes nearly all that a weighted pool's contract gives at once, which a sale may not bring. */
const TAKER = testAccount(1);

const world = useOutfittedWorld([TAKER]);

it("purchases near what Balancer's weighted pools give do to the wei what was quoted", {
  timeout: 240_000,
}, async () => {
  const tokens = new Map(DEVNET_TOKENS.map((token) => [token.address, token]));
  const { graph } = await world().follow();
  const pools = graph.all();
  const beyondSales = new Set<string>();
  for (const pool of pools) {
    if (pool.curve !== "weighted" && (pool.curve !== "balancer-v3" || pool.state.kind !== "weighted")) continue;
    for (const [sell, sold] of pool.tokens.entries()) {
      for (const [buy, bought] of pool.tokens.entries()) {
        const [sellToken, buyToken] = [tokens.get(sold), tokens.get(bought)];
        if (sell === buy || sellToken === undefined || buyToken === undefined) continue;
        const { maxSell, maxBuy } = mathOf(pool).limits(pool.state, { sell, buy }, graph.time);
        const buyAmount = (maxBuy * 99n) / 100n;
        const request: SwapRequest = {
          ...{ sellToken, buyToken, amount: { kind: "exactOut", buyAmount }, slippage: FRACTION_ONE / 100n },
          ...{ taker: TAKER, sources: { kind: "only", ids: [pool.source] }, skipValidation: false },
        };
        const answer = await world().quote(request);
        const done = await execute(world(), answer, TAKER);
        expect(done, `${sellToken.symbol} for ${buyToken.symbol}`).toMatchObject({
          ...{ receipt: { succeeded: true }, sold: answer.sellAmount, bought: buyAmount, leftBehind: [] },
        });
        if (answer.sellAmount > maxSell) beyondSales.add(pool.source);
      }
    }
  }
  expect([...beyondSales].sort()).toEqual(["Balancer_V2", "Balancer_V3"]);
});
