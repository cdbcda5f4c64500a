import { expect, it } from "vitest";
import { answerTo } from "../../../fixtures/routing/answer.ts";
import { addressOf } from "../../../fixtures/routing/pools.ts";
import { costAt } from "../../../fixtures/routing/request.ts";
import { oddTrade } from "../../../fixtures/universes/odd-pools.ts";
import { makerTrade } from "../../support/trades/maker-trade.ts";

/** Bought units net of gas, where an amount is sold for the answer; nothing where there is none. */
function netOf(...trade: Parameters<typeof answerTo>): bigint | undefined {
  const result = answerTo(...trade);
  return result.found ? result.certificate?.achieved : undefined;
}

it("a trade of which much is open at its first prices goes over all pools, whatever gas there is", () => {
  // Two of these pools were used in the place of seven, 7.3 % worse, when the flow with gas was all that it began with.
  const { pools, cost } = oddTrade(2345);
  const [sellToken, buyToken] = [addressOf(1), addressOf(2)];
  const order = { kind: "exactIn", sellToken, buyToken, sellAmount: 56_254_853_755_834_362_620_805_120n } as const;
  expect(netOf(order, pools, cost)).toBeGreaterThanOrEqual(197_478_741_336_453_535_167n);
});

it("a trade that is worth less than its gas goes over all pools where the flow with gas leaves a pool use open", () => {
  // One path of four pools was used in the place of three pools.
  const { pools } = makerTrade(2500, "exactIn");
  const [sellToken, buyToken] = [addressOf(1), addressOf(10)];
  const order = { kind: "exactIn", sellToken, buyToken, sellAmount: 296_543_310_650_625_163_264n } as const;
  const cost = costAt(1n, () => ({ num: 176_658_382_474_172_495_449_554_944n, den: 10n ** 9n }));
  expect(netOf(order, pools, cost)).toBeGreaterThanOrEqual(-38_128_253_352_638_651_241_719n);
});
