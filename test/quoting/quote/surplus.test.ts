import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Address, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import type { SwapFee } from "../../../src/domain/terms/swap-fee.ts";
import type { Token } from "../../../src/domain/token.ts";
import type { QuoteAnswer, SwapRequest } from "../../../src/quoting/answer/types.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../../support/worlds/swap-world.ts";

const TAKER = testAccount(3);
/** Sells what the taker buys, so that the taker's swap brings more than was quoted. */
const MOVER = testAccount(4);
const SHARER = testAccount(5);
const FEE_TAKER = testAccount(6);
const HALF = 500_000n;
const PPM = 1_000_000n;

let world: SwapWorld;
let usdh: Token;
let dam: Token;
beforeAll(async () => {
  world = await startSwapWorld();
  const tokenOf = (symbol: string) => world.devnet.tokens.find((token) => token.symbol === symbol) as Token;
  [usdh, dam] = [tokenOf("USDH"), tokenOf("DAM")];
  const { devnet } = world;
  const holdings = [
    { token: usdh.address, account: TAKER, amount: 50_000n * 10n ** 6n },
    { token: dam.address, account: MOVER, amount: 1_000n * 10n ** 18n },
  ];
  await devnet.fundAll([
    ...[TAKER, MOVER].map((account) => ({ token: NATIVE_TOKEN, account, amount: 10n ** 21n })),
    ...holdings,
  ]);
  await devnet.approveAll(holdings, world.settlement.allowanceTarget);
  await world.follow();
}, 120_000);
afterAll(() => world?.stop());

const selling = (changes: Partial<SwapRequest> = {}): SwapRequest => ({
  ...{ sellToken: usdh, buyToken: dam, amount: { kind: "exactIn", sellAmount: 1_000n * 10n ** 6n } },
  ...{ slippage: 10n ** 16n, taker: TAKER, sources: { kind: "all" }, skipValidation: false },
  ...changes,
});
const sharing = (changes: Partial<SwapRequest> = {}) =>
  selling({ surplus: { ratePpm: HALF, recipient: SHARER }, ...changes });

/** Gains of all accounts in the bought token by quotes, sent one after the other and rolled back. */
async function gains(quotes: readonly (readonly [sender: Address, answer: QuoteAnswer])[]) {
  const { devnet } = world;
  const holders = [TAKER, SHARER, FEE_TAKER].map((account) => ({ token: dam.address, account }));
  return devnet.rolledBack(async () => {
    const before = await devnet.balancesOf(holders);
    for (const [sender, { to, data, value, gas }] of quotes) {
      const receipt = await devnet.sendTransaction(sender, { to, data, value, gas });
      expect(receipt.succeeded).toBe(true);
    }
    const after = await devnet.balancesOf(holders);
    const [taker, sharer, fee] = after.map((each, at) => each - before[at]!) as [bigint, bigint, bigint];
    return { taker, sharer, fee };
  });
}

const moving = () =>
  world.quote({
    ...selling({ taker: MOVER, sellToken: dam, buyToken: usdh }),
    amount: { kind: "exactIn", sellAmount: 10n ** 18n },
  });

describe("a share of surplus", () => {
  it("is told with the amount that it counts from, and is nothing of what was quoted", async () => {
    const answer = await world.quote(sharing());
    expect(answer.surplus).toEqual({
      ...{ ratePpm: HALF, recipient: SHARER },
      ...{ quotedBuyAmount: answer.buyAmount, token: dam.address },
    });
    const plain = await world.quote(selling());
    expect([plain.surplus, plain.buyAmount]).toEqual([null, answer.buyAmount]);
    expect(await gains([[TAKER, answer]])).toEqual({ taker: answer.buyAmount, sharer: 0n, fee: 0n });
  });

  it("is taken to the wei of what a moved price brings, within the quoted gas", async () => {
    const [mover, plain, shared] = [await moving(), await world.quote(selling()), await world.quote(sharing())];
    const { taker: gross } = await gains([
      [MOVER, mover],
      [TAKER, plain],
    ]);
    expect(gross).toBeGreaterThan(shared.buyAmount);
    const share = ((gross - shared.buyAmount) * HALF) / PPM;
    expect(share).toBeGreaterThan(0n);
    expect(
      await gains([
        [MOVER, mover],
        [TAKER, shared],
      ]),
    ).toEqual({ taker: gross - share, sharer: share, fee: 0n });
  });

  it("counts from what the fee leaves", async () => {
    const fee: SwapFee = { ratePpm: 10_000n, recipient: FEE_TAKER };
    const [mover, plain, shared] = [await moving(), await world.quote(selling()), await world.quote(sharing({ fee }))];
    const { taker: gross } = await gains([
      [MOVER, mover],
      [TAKER, plain],
    ]);
    const paid = (gross * fee.ratePpm) / PPM;
    const share = ((gross - paid - shared.buyAmount) * HALF) / PPM;
    expect(
      await gains([
        [MOVER, mover],
        [TAKER, shared],
      ]),
    ).toEqual({ taker: gross - paid - share, sharer: share, fee: paid });
  });

  it("is none of exact outputs: what they leave unsold is the taker's", async () => {
    const request = sharing({ amount: { kind: "exactOut", buyAmount: 10n ** 17n } });
    expect((await world.quote(request)).surplus).toBeNull();
  });

  it("is none of whole balances: a smaller one moves prices less, which is nothing that the swap gained", async () => {
    const amount = { kind: "exactIn", sellAmount: 200_000n * 10n ** 6n } as const;
    const answer = await world.quote(sharing({ amount, sellEntireBalance: true, skipValidation: true }));
    // The taker has a quarter of it.
    const { taker, sharer } = await gains([[TAKER, answer]]);
    expect(taker).toBeGreaterThan(answer.buyAmount / 4n);
    expect([answer.surplus, sharer]).toEqual([null, 0n]);
  });
});
