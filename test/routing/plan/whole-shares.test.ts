import { expect, it } from "vitest";
import { answerTo } from "../../../fixtures/routing/answer.ts";
import { loadFantom } from "../../../fixtures/universes/fantom.ts";
import { toAddress } from "../../../src/domain/address.ts";
import { SHARE_ONE } from "../../../src/domain/route.ts";
import { shareOf } from "../../../src/routing/plan/plan.ts";

it.each([
  [1, 3],
  [2, 3],
  [1, 2],
  [333_333, 999_999],
])("a share of %i of %i units is worth no unit less", (part, left) => {
  expect((BigInt(left) * shareOf(part, left)) / SHARE_ONE).toBe(BigInt(part));
});

const fantom = loadFantom();

it("a purchase passes whole units as well, where parts of these took a thousand times as much", () => {
  const order = {
    kind: "exactOut",
    sellToken: toAddress("0xf6129f6705b826dbafaa26e03aad9dd20b9235c6"),
    buyToken: toAddress("0x0575f8738efda7f512e3654f277c77e80c7d2725"),
    buyAmount: 913_555_099_335_826_304n,
  } as const;
  const result = answerTo(order, fantom.pools);
  expect(result.found && result.certificate?.achieved).toBeLessThan(2n * 10n ** 16n);
});
