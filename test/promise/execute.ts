import { expect } from "vitest";
import { type Address, type Hex, NATIVE_TOKEN } from "../../src/domain/address.ts";
import type { QuoteAnswer } from "../../src/quoting/answer/types.ts";
import type { SwapWorld } from "../support/worlds/swap-world.ts";
import type { TestReceipt } from "../support/worlds/transactions.ts";

/** Effects of executing a quote's transaction, in base units. */
export interface Execution {
  readonly receipt: TestReceipt;
  /** Decrease of the taker's sold token, without gas. */
  readonly sold: bigint;
  /** Increase of the taker's bought token, without gas. */
  readonly bought: bigint;
  /** Increase of the fee recipient's bought token. */
  readonly fee: bigint;
  /** Balances of the route's tokens left in our contracts; empty if there are none. */
  readonly leftBehind: readonly string[];
}

/** Sends a quote's transaction in the next block at the quoted block's time, and takes it back. */
export function execute(world: SwapWorld, answer: QuoteAnswer, taker: Address): Promise<Execution> {
  const { devnet, settlement } = world;
  return devnet.rolledBack(async () => {
    const before = await balances();
    const { timestamp } = await devnet.rpc<{ timestamp: Hex }>("eth_getBlockByNumber", ["latest", false]);
    await devnet.setNextTimestamp(Number(timestamp));
    const receipt = await devnet.sendTransaction(taker, {
      to: answer.to,
      data: answer.data,
      value: answer.value,
      gas: answer.gas,
    });
    const after = await balances();
    const gain = (key: keyof typeof before, token: Address) =>
      after[key] - before[key] + (token === NATIVE_TOKEN && key !== "fee" ? receipt.networkFee : 0n);
    return {
      receipt,
      sold: -gain("sell", answer.sellToken.address),
      bought: gain("buy", answer.buyToken.address),
      fee: gain("fee", answer.buyToken.address),
      leftBehind: await leftBehind(),
    };
  });

  async function balances() {
    const buyToken = answer.buyToken.address;
    const [sell, buy, fee] = await devnet.balancesOf([
      { token: answer.sellToken.address, account: taker },
      { token: buyToken, account: taker },
      ...answer.fees.slice(0, 1).map(({ token, recipient: account }) => ({ token, account })),
    ]);
    return { sell: sell!, buy: buy!, fee: fee ?? 0n };
  }

  async function leftBehind(): Promise<string[]> {
    const tokens = [...new Set([NATIVE_TOKEN, ...answer.route.tokens.map((token) => token.address)])];
    const holders = settlement.contracts.flatMap((account) => tokens.map((token) => ({ token, account })));
    const amounts = await devnet.balancesOf(holders);
    return holders.flatMap(({ account, token }, index) =>
      amounts[index] === 0n ? [] : `${account} holds ${amounts[index]} of ${token}`,
    );
  }
}

/** Executes a quote, which must do what it says; exact outputs of some pools may bring so much more. */
export async function executeToTheWei(
  world: SwapWorld,
  answer: QuoteAnswer,
  taker: Address,
  seed: number,
  beyond = 0n,
): Promise<Execution> {
  const done = await execute(world, answer, taker);
  const more = done.bought - answer.buyAmount;
  expect(more >= 0n && more <= beyond, `seed ${seed}: ${more} more is bought`).toBe(true);
  expect({ seed, ...done }).toMatchObject({
    receipt: { succeeded: true },
    sold: answer.sellAmount,
    fee: answer.fees[0]?.amount ?? 0n,
    leftBehind: [],
  });
  return done;
}

/** Native tokens that an account is given, wei. */
const NATIVE_HELD = 100_000n * 10n ** 18n;
const WITHOUT_END = (1n << 256n) - 1n;

/** Gives accounts more of every token than any test request needs, and lets the gateway spend it. */
export async function outfit({ devnet, settlement }: SwapWorld, accounts: readonly Address[]): Promise<void> {
  const tokens = devnet.tokens.map(({ address }) => address);
  const left = [...(await devnet.balancesOf(tokens.map((token) => ({ token, account: devnet.whale }))))];
  const holdings = accounts.flatMap((account) => [
    { token: NATIVE_TOKEN, account, amount: NATIVE_HELD },
    ...tokens.map((token, index) => {
      const amount = left[index]! / 4n;
      left[index] = left[index]! - amount;
      return { token, account, amount };
    }),
  ]);
  await devnet.fundAll(holdings);
  const allowances = accounts.flatMap((account) => tokens.map((token) => ({ token, account, amount: WITHOUT_END })));
  await devnet.approveAll(allowances, settlement.allowanceTarget);
}
