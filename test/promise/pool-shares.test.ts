import { expect, it } from "vitest";
import { createRandom } from "../../fixtures/random.ts";
import type { DevnetToken } from "../../src/devnet/plan/layout.ts";
import { FRACTION_ONE, type SwapRequest } from "../../src/quoting/answer/types.ts";
import { testAccount } from "../support/worlds/swap-world.ts";
import { execute } from "./execute.ts";
import { useOutfittedWorld } from "./outfitted-world.ts";
import { DEVNET_TOKENS } from "./random/random-request.ts";

/**
 * The promise where shares of Curve's pools are sold, bought or on the way: a coin of the base pool reaches a metapool by
 * its share, and back.
 */
const TAKER = testAccount(1);
const PAIRS = [
  ["USDH", "vUSDH"],
  ["vUSDH", "USDR"],
  ["DSD", "3RIV"],
  ["3RIV", "USDH"],
  ["3RIV", "vUSDH"],
  ["USDR", "2RIV"],
  ["2RIV", "DSD"],
  ["2RIV", "vUSDH"],
] as const;
const SIZES_USD = [3, 4_000, 150_000];

const world = useOutfittedWorld([TAKER]);

it("routes over shares do to the wei what was quoted", { timeout: 240_000 }, async () => {
  const tokens = new Map(DEVNET_TOKENS.map((token) => [token.symbol, token]));
  const random = createRandom(4_607);
  const behind: string[] = [];
  for (const [sold, bought] of PAIRS) {
    const [sellToken, buyToken] = [tokens.get(sold), tokens.get(bought)] as [DevnetToken, DevnetToken];
    for (const usd of SIZES_USD) {
      const worth = BigInt(Math.floor(usd * (0.7 + 0.6 * random.unit()) * 1e6)) * 10n ** 6n;
      const sellAmount = (worth * 10n ** BigInt(sellToken.decimals)) / sellToken.picoUsd;
      const request: SwapRequest = {
        ...{ sellToken, buyToken, amount: { kind: "exactIn", sellAmount }, slippage: FRACTION_ONE / 100n },
        ...{ taker: TAKER, sources: { kind: "only", ids: ["Curve"] }, skipValidation: false },
      };
      const answer = await world().quote(request);
      const done = await execute(world(), answer, TAKER);
      expect(done, `${usd} USD of ${sold} for ${bought}`).toMatchObject({
        ...{ receipt: { succeeded: true }, sold: sellAmount, bought: answer.buyAmount, leftBehind: [] },
      });
      const pools = answer.route.fills.map(({ pool }) => pool);
      if (pools.length > 1) behind.push(`${sold}-${bought}`);
    }
  }
  expect(behind).toEqual(expect.arrayContaining(["USDH-vUSDH", "vUSDH-USDR", "2RIV-vUSDH"]));
});
