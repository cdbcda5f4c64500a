import { expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT } from "../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../src/domain/address.ts";
import { type Fill, type Route, SHARE_ONE } from "../../../src/domain/route.ts";
import type { AnyAction } from "../../../src/venues/index.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import type { withSingleton } from "../pools/singleton.ts";

interface Made extends Awaited<ReturnType<typeof withSingleton>> {
  /** Action of a pool in any contract. */
  actionAt(manager: Address): AnyAction;
  idAt(manager: Address, currencies: readonly [Address, Address]): string;
}

const AMOUNT = 100n * UNIT;

/** Trades at contracts that claim to be a singleton and play tricks: nobody loses anything. */
export function forgedSingletons(made: () => Made): void {
  const TRICKS = [
    ["AskForTooMuch", /^ExcessivePayment\(/],
    ["AskTwice", /^UnexpectedCallback\(/],
    ["NeverAsk", /^CallbackMissing\(/],
    ["LetAnotherAsk", /^UnexpectedCallback\(/],
    ["ChangeTheData", /^UnexpectedCallback\(/],
    ["LieAboutOutput", /^InsufficientOutput\(/],
    ["AskForNothing", /^UnexpectedCallback\(/],
    ["TakeLess", /^PartialFill\(/],
    ["OweOutput", /^UnexpectedCallback\(/],
    ["LieInTheAnswer", /^InsufficientOutput\(/],
  ] as const;

  /** A route of the taker's own over a manager that is none, for both kinds and with a fill behind it. */
  async function reasonOf(trick: number, shape: "exactIn" | "exactOut" | "twoHops"): Promise<string> {
    const { world, daiGem, actionAt, idAt } = made();
    const { node, owner, taker, settlement, usd, dai, gem } = world;
    const fake = await node.deploy(compiled("FakeManager"));
    await node.write(owner, fake, compiled("FakeManager").abi, "play", trick);
    const currencies = usd < dai ? ([usd, dai] as const) : ([dai, usd] as const);
    const id = idAt(fake, currencies);
    const amounts = { sellAmount: AMOUNT, buyAmount: AMOUNT, gas: 0n, share: SHARE_ONE };
    const fill: Fill = { poolId: id, source: "Test", sellToken: usd, buyToken: dai, ...amounts };
    const next: Fill = { ...fill, poolId: daiGem, sellToken: dai, buyToken: gem };
    const ends = { sellToken: usd, sellAmount: AMOUNT, buyAmount: AMOUNT };
    const route: Route =
      shape === "exactOut"
        ? { kind: "exactOut", ...ends, buyToken: dai, fills: [fill] }
        : shape === "exactIn"
          ? { kind: "exactIn", ...ends, buyToken: dai, fills: [fill] }
          : { kind: "exactIn", ...ends, buyToken: gem, fills: [fill, next] };
    const { to, data } = settlement.encode(route, termsFor(route, { minBuyAmount: 1n }), (each) =>
      each === next ? world.actionOf(each) : actionAt(fake),
    );
    return revertReason(await node.revertOf({ from: taker, to, data }));
  }

  TRICKS.forEach(([name, reason], trick) => {
    it(`one that plays ${name} gets nothing`, async () => {
      expect(await reasonOf(trick, "exactIn")).toMatch(reason);
      if (name === "TakeLess") return;
      // Exact-out draws what it needs up to the seller's maximum, and wants exactly what was asked for.
      const others: Partial<Record<string, RegExp>> = {
        AskForTooMuch: /^SellAmountExceeded\(/,
        LieInTheAnswer: /^InsufficientOutput\(/,
      };
      expect(await reasonOf(trick, "exactOut")).toMatch(others[name] ?? reason);
    });
  });

  it("an output that was claimed and not paid makes the next payment fail (incident 11)", async () => {
    for (const trick of ["LieAboutOutput", "LieInTheAnswer"]) {
      const index = TRICKS.findIndex(([name]) => name === trick);
      expect(await reasonOf(index, "twoHops")).toBe("balance too small");
    }
  });
}
