import { expect, test } from "vitest";
import { answerTo } from "../../fixtures/routing/answer.ts";
import { openBps } from "../../fixtures/routing/certificate-gap.ts";
import { USUAL_FEE } from "../../fixtures/universes/built-in.ts";
import { fantomUniverse } from "../../fixtures/universes/priced.ts";
import { toAddress } from "../../src/domain/address.ts";

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
