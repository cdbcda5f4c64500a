import { expect, test } from "vitest";
import { USUAL_FEE } from "../../bench/peers/contestants.ts";
import { fantomUniverse } from "../../bench/peers/universe.ts";
import { openBps } from "../../bench/routing/figures.ts";
import { toAddress } from "../../src/domain/address.ts";
import { answerTo } from "../support/answer.ts";

const inLine = fantomUniverse(USUAL_FEE, true);

test("the bound of a purchase whose first prices stay far off is found from its own", () => {
  const order = {
    kind: "exactOut",
    sellToken: toAddress("0x3038bac0775f31c413c87446b0d34a2d20b3ad17"),
    buyToken: toAddress("0x6cc0e0aedbbd3c35283e38668d959f6eb3034856"),
    buyAmount: 2_745_399_193_680_332_800n,
  } as const;
  const result = answerTo(order, inLine.pools);
  expect(result.found && openBps(result.certificate as NonNullable<typeof result.certificate>)).toBeLessThan(1);
});
