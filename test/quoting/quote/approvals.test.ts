import { create } from "@bufbuild/protobuf";
import type { TypedDataDefinition } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GetQuoteResponseSchema } from "#gen/swap/v1/swap_pb.ts";
import { quoteResponse } from "../../../src/api/calls/price-messages.ts";
import { approvalsFor, messageToSign, withSignature } from "../../../src/client/index.ts";
import { type Address, type Hex, NATIVE_TOKEN, toAddress } from "../../../src/domain/address.ts";
import type { SwapFee } from "../../../src/domain/terms/swap-fee.ts";
import { PERMIT2 } from "../../../src/domain/terms/typed-data.ts";
import type { Token } from "../../../src/domain/token.ts";
import type { QuoteAnswer, SwapRequest } from "../../../src/quoting/answer/types.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../../support/worlds/swap-world.ts";

/** Has tokens, has approved nobody, and signs with a key of its own. */
const signer = privateKeyToAccount(`0x${"5a".repeat(32)}`);
const TAKER = toAddress(signer.address);
const OTHER = testAccount(4);
const BRINGER = testAccount(5);
const INTEGRATORS = [testAccount(6), testAccount(7), testAccount(8), testAccount(9)] as const;
const WITHOUT_END = (1n << 256n) - 1n;
const NATIVE: Token = { address: NATIVE_TOKEN, symbol: "ETH", name: "Ether", decimals: 18 };

let world: SwapWorld;
let usdh: Token;
let usdr: Token;
let dam: Token;
beforeAll(async () => {
  world = await startSwapWorld();
  const tokenOf = (symbol: string) => world.devnet.tokens.find((token) => token.symbol === symbol) as Token;
  [usdh, usdr, dam] = [tokenOf("USDH"), tokenOf("USDR"), tokenOf("DAM")];
  const { devnet } = world;
  await devnet.fundAll([
    ...[TAKER, BRINGER].map((account) => ({ token: NATIVE_TOKEN, account, amount: 10n ** 21n })),
    ...[usdh, usdr].map(({ address: token }) => ({ token, account: TAKER, amount: 50_000n * 10n ** 6n })),
    // Nobody's first holding: amounts are what counts here.
    ...[usdh, dam].map(({ address: token }) => ({ token, account: OTHER, amount: 1n })),
  ]);
  await world.follow();
}, 120_000);
afterAll(() => world?.stop());

const selling = (token: Token, sellAmount: bigint, changes: Partial<SwapRequest> = {}): SwapRequest => ({
  ...{ sellToken: token, buyToken: dam, amount: { kind: "exactIn", sellAmount } },
  ...{ slippage: 0n, taker: TAKER, sources: { kind: "all" }, skipValidation: false },
  ...changes,
});
const buying = (token: Token, buyAmount: bigint, changes: Partial<SwapRequest> = {}): SwapRequest =>
  selling(token, 1n, { amount: { kind: "exactOut", buyAmount }, slippage: 10n ** 16n, ...changes });

const wire = (answer: QuoteAnswer) => create(GetQuoteResponseSchema, quoteResponse(answer));

/** The calldata that a quote becomes by its taker's signature. */
async function signed(answer: QuoteAnswer): Promise<Hex> {
  const quote = wire(answer);
  const message = messageToSign(quote) as unknown as TypedDataDefinition;
  return withSignature(quote, await signer.signTypedData(message)).data;
}

/** Gains of accounts in the two tokens by calls of `sender`, which are rolled back; native token without gas. */
async function gains(
  answer: QuoteAnswer,
  calls: readonly { readonly to: Address; readonly data: Hex; readonly value: bigint; readonly gas?: bigint }[],
  sender = TAKER,
) {
  const { devnet } = world;
  const accounts = [TAKER, OTHER, ...INTEGRATORS];
  const holders = [answer.sellToken, answer.buyToken].flatMap(({ address: token }) =>
    accounts.map((account) => ({ token, account })),
  );
  return devnet.rolledBack(async () => {
    const before = await devnet.balancesOf(holders);
    let cost = 0n;
    let used = 0n;
    for (const { gas = 200_000n, ...call } of calls) {
      const receipt = await devnet.sendTransaction(sender, { ...call, gas });
      expect(receipt.succeeded).toBe(true);
      cost += receipt.networkFee;
      used = receipt.gasUsed;
    }
    const after = await devnet.balancesOf(holders);
    const all = after.map((each, at) => each - before[at]!);
    if (answer.sellToken.address === NATIVE_TOKEN) all[0] = all[0]! + cost;
    if (answer.buyToken.address === NATIVE_TOKEN) all[accounts.length] = all[accounts.length]! + cost;
    const [sold, bought] = [all.slice(0, accounts.length), all.slice(accounts.length)];
    const left = await devnet.balancesOf(
      world.settlement.contracts.flatMap((account) =>
        [answer.sellToken, answer.buyToken].map(({ address: token }) => ({ token, account })),
      ),
    );
    expect(left.every((each) => each === 0n)).toBe(true);
    return {
      used,
      sold: { taker: sold[0]!, fees: sold.slice(2) },
      bought: { taker: bought[0]!, other: bought[1]!, fees: bought.slice(2) },
    };
  });
}

/** The calls of a quote as a batch, the swap with the quote's own gas limit. */
const batchOf = (answer: QuoteAnswer) =>
  answer.calls.map((call) => (call.data === answer.data ? { ...call, gas: answer.gas } : call));

describe("approvalMode=approve", () => {
  it("has calls that approve what is lacking and swap, to the wei", async () => {
    const answer = await world.quote(selling(usdh, 1_000n * 10n ** 6n));
    expect(answer.calls.map(({ to }) => to)).toEqual([usdh.address, answer.to]);
    expect(answer.issues.allowance).toEqual({ actual: 0n, spender: answer.allowanceTarget });
    const { sold, bought } = await gains(answer, batchOf(answer));
    expect([sold.taker, bought.taker]).toEqual([-answer.sellAmount, answer.buyAmount]);
    expect(answer.permit).toBeNull();
  });

  it("goes by way of zero where a token refuses another way", async () => {
    const { devnet } = world;
    await devnet.approveAll([{ token: usdr.address, account: TAKER, amount: 5n }], world.settlement.allowanceTarget);
    await world.follow();
    const answer = await world.quote(selling(usdr, 1_000n * 10n ** 6n));
    expect(answer.calls.map(({ to }) => to)).toEqual([usdr.address, usdr.address, answer.to]);
    const { sold, bought } = await gains(answer, batchOf(answer));
    expect([sold.taker, bought.taker]).toEqual([-answer.sellAmount, answer.buyAmount]);
    // Without the first one this token refuses.
    const [, approve] = answer.calls;
    const receipt = await devnet.rolledBack(() => devnet.sendTransaction(TAKER, { ...approve!, gas: 200_000n }));
    expect(receipt.succeeded).toBe(false);
  });

  it("has the swap alone for native token, and with `none` for any", async () => {
    const native = await world.quote(selling(NATIVE, 10n ** 18n));
    expect(native.calls).toEqual([{ to: native.to, data: native.data, value: native.value }]);
    const { sold, bought } = await gains(native, batchOf(native));
    expect([sold.taker, bought.taker]).toEqual([-native.sellAmount, native.buyAmount]);
    const none = await world.quote(selling(usdh, 10n ** 6n, { approvalMode: "none" }));
    expect(none.calls).toEqual([{ to: none.to, data: none.data, value: 0n }]);
    expect(none.issues.allowance).toBeNull();
  });
});

describe("approvalMode=permit2", () => {
  const approved = () =>
    world.devnet.approveAll([{ token: usdh.address, account: TAKER, amount: WITHOUT_END }], PERMIT2);

  it("asks for Permit2's approval first, and says so", async () => {
    const answer = await world.quote(selling(usdr, 10n ** 6n, { approvalMode: "permit2" }));
    expect(answer.allowanceTarget).toBe(PERMIT2);
    expect(answer.issues.allowance).toEqual({ actual: 0n, spender: PERMIT2 });
    expect(answer.calls.map(({ to }) => to)).toEqual([usdr.address]);
    expect(approvalsFor(wire(answer), TAKER)).toEqual(answer.calls);
  });

  it("swaps to the wei by one signature, whoever brings it, within the quoted gas", async () => {
    await approved();
    await world.follow();
    for (const request of [
      selling(usdh, 1_000n * 10n ** 6n, { approvalMode: "permit2" }),
      buying(usdh, 10n ** 18n, { approvalMode: "permit2" }),
      selling(usdh, 1_000n * 10n ** 6n, { approvalMode: "permit2", buyToken: NATIVE, recipient: OTHER }),
    ]) {
      const answer = await world.quote(request);
      expect(answer.calls).toEqual([]);
      const call = { to: answer.to, data: await signed(answer), value: 0n, gas: answer.gas };
      const { sold, bought, used } = await gains(answer, [call], BRINGER);
      expect(sold.taker).toBe(-answer.sellAmount);
      expect(request.recipient === undefined ? bought.taker : bought.other).toBe(answer.buyAmount);
      expect(Math.abs(Number(answer.estimatedGas) / Number(used) - 1)).toBeLessThan(0.2);
      expect(used).toBeLessThan(answer.gas);
    }
  });

  it("has another nonce for every request", async () => {
    const nonces = new Set<unknown>();
    for (const amount of [1n, 2n, 3n]) {
      const { permit } = await world.quote(selling(usdh, amount * 10n ** 6n, { approvalMode: "permit2" }));
      nonces.add(permit?.eip712.message.nonce);
    }
    expect(nonces.size).toBe(3);
  });
});

describe("approvalMode=eip2612", () => {
  it("swaps to the wei by one signature and no approval, within the quoted gas", async () => {
    for (const request of [
      selling(usdh, 1_000n * 10n ** 6n, { approvalMode: "eip2612" }),
      buying(usdh, 10n ** 18n, { approvalMode: "eip2612" }),
    ]) {
      const answer = await world.quote(request);
      expect([answer.calls, answer.issues.allowance]).toEqual([[], null]);
      expect(approvalsFor(wire(answer), TAKER)).toEqual([]);
      const call = { to: answer.to, data: await signed(answer), value: 0n, gas: answer.gas };
      const { sold, bought, used } = await gains(answer, [call]);
      expect([sold.taker, bought.taker]).toEqual([-answer.sellAmount, answer.buyAmount]);
      expect(Math.abs(Number(answer.estimatedGas) / Number(used) - 1)).toBeLessThan(0.2);
      expect(used).toBeLessThan(answer.gas);
    }
  });

  it("is refused for a token without permits, with the mode that works", async () => {
    const quote = world.quote(selling(usdr, 10n ** 6n, { approvalMode: "eip2612" }));
    await expect(quote).rejects.toMatchObject({ kind: "INVALID_PARAMETERS" });
    await expect(quote).rejects.toThrow("Send approvalMode=permit2");
  });
});

describe("recipient, fees and a whole balance", () => {
  const four: SwapFee = {
    ...{ ratePpm: 10_000n, recipient: INTEGRATORS[0] },
    others: [
      { ratePpm: 1n, recipient: INTEGRATORS[1] },
      { ratePpm: 333n, recipient: INTEGRATORS[2] },
      { ratePpm: 50_000n, recipient: INTEGRATORS[3] },
    ],
  };
  beforeAll(async () => {
    await world.devnet.approveAll(
      [{ token: usdh.address, account: TAKER, amount: WITHOUT_END }],
      world.settlement.allowanceTarget,
    );
    await world.follow();
  });

  for (const fromSold of [false, true]) {
    for (const kind of ["exactIn", "exactOut"] as const) {
      for (const native of ["sold", "bought", "neither"] as const) {
        it(`are exact: fees of what is ${fromSold ? "sold" : "bought"}, ${kind}, native token ${native}`, async () => {
          const sellToken = native === "sold" ? NATIVE : usdh;
          const buyToken = native === "bought" ? NATIVE : dam;
          const fee = { ...four, fromSold };
          const changes = { buyToken, fee, recipient: OTHER };
          const one = 10n ** BigInt(sellToken.decimals);
          const request =
            kind === "exactIn" ? selling(sellToken, one, changes) : buying(sellToken, 10n ** 17n, changes);
          const answer = await world.quote(request);
          expect(answer.issues.simulationIncomplete).toBe(false);
          const { sold, bought } = await gains(answer, batchOf(answer));
          expect(sold.taker).toBe(-answer.sellAmount);
          expect(bought.other).toBe(answer.buyAmount);
          expect(fromSold ? sold.fees : bought.fees).toEqual(answer.fees.map(({ amount }) => amount));
          const asked = request.amount.kind === "exactIn" ? request.amount.sellAmount : request.amount.buyAmount;
          expect(kind === "exactIn" ? answer.sellAmount : answer.buyAmount).toBe(asked);
          const total = answer.fees.reduce((sum, { amount }) => sum + amount, 0n);
          expect(fromSold ? answer.sellAmount - answer.grossSellAmount : answer.grossBuyAmount - answer.buyAmount).toBe(
            total,
          );
        });
      }
    }
  }

  it("are refused for wrapping, which pays whoever sends exactly what is sent", async () => {
    const [wrapped] = world.devnet.tokens as [Token, ...Token[]];
    for (const changes of [{ recipient: OTHER }, { sellEntireBalance: true }]) {
      const quote = world.quote(selling(NATIVE, 1n, { buyToken: wrapped, ...changes }));
      await expect(quote).rejects.toThrow(`${Object.keys(changes)[0]} cannot be used: wrapping`);
    }
    expect((await world.quote(selling(NATIVE, 1n, { buyToken: wrapped, recipient: TAKER }))).calls).toHaveLength(1);
  });

  it("sell all that the taker has, at most what was quoted", async () => {
    const { devnet } = world;
    const most = 50_000n * 10n ** 6n;
    const answer = await world.quote(selling(usdh, most, { sellEntireBalance: true, slippage: 10n ** 16n }));
    const whole = await gains(answer, batchOf(answer));
    expect([whole.sold.taker, whole.bought.taker]).toEqual([-most, answer.buyAmount]);
    await devnet.rolledBack(async () => {
      const transfer = `0xa9059cbb${BRINGER.slice(2).padStart(64, "0")}${(most / 4n).toString(16).padStart(64, "0")}`;
      await devnet.sendTransaction(TAKER, { to: usdh.address, data: transfer as Hex, value: 0n, gas: 200_000n });
      const less = await gains(answer, batchOf(answer));
      expect(less.sold.taker).toBe(-(most - most / 4n));
      expect(less.bought.taker).toBeGreaterThan((answer.minBuyAmount * 3n) / 4n);
    });
  });
});
