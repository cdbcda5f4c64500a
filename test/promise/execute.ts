import { type Address, NATIVE_TOKEN } from "../../src/domain/address.ts";
import type { QuoteAnswer } from "../../src/quoting/answer/answers.ts";
import type { TestReceipt } from "../support/worlds/devnet.ts";
import type { SwapWorld } from "../support/worlds/swap-world.ts";

/** What executing a quote's transaction did, in base units. */
export interface Execution {
  readonly receipt: TestReceipt;
  /** What the taker has less of the sold token, gas apart. */
  readonly sold: bigint;
  /** What the taker has more of the bought token, gas apart. */
  readonly bought: bigint;
  /** What the fee's recipient has more of the bought token. */
  readonly fee: bigint;
  /** What is left in our contracts of any token of the route; empty when they hold nothing. */
  readonly leftBehind: readonly string[];
}

/** Sends a quote's transaction in the next block at the quoted block's time, and takes it back. */
export function execute(world: SwapWorld, answer: QuoteAnswer, taker: Address): Promise<Execution> {
  const { devnet, settlement } = world;
  return devnet.rolledBack(async () => {
    const before = await balances();
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
    const [sell, buy, fee] = await Promise.all([
      devnet.balanceOf(answer.sellToken.address, taker),
      devnet.balanceOf(answer.buyToken.address, taker),
      answer.fee === null ? 0n : devnet.balanceOf(answer.buyToken.address, answer.fee.recipient),
    ]);
    return { sell, buy, fee };
  }

  async function leftBehind(): Promise<string[]> {
    const tokens = [...new Set([NATIVE_TOKEN, ...answer.route.tokens.map((token) => token.address)])];
    const held = await Promise.all(
      settlement.contracts.flatMap((contract) =>
        tokens.map(async (token) => ({ contract, token, amount: await devnet.balanceOf(token, contract) })),
      ),
    );
    return held
      .filter(({ amount }) => amount !== 0n)
      .map(({ contract, token, amount }) => `${contract} holds ${amount} of ${token}`);
  }
}

/** Gives accounts more of every token than any test request needs, and lets the gateway spend it. */
export async function outfit(world: SwapWorld, taker: Address): Promise<void> {
  const { devnet, settlement } = world;
  await devnet.fund(NATIVE_TOKEN, taker, 100_000n * 10n ** 18n);
  for (const token of devnet.tokens) {
    const held = await devnet.balanceOf(token.address, devnet.whale);
    await devnet.fund(token.address, taker, held / 4n);
    await devnet.approve(token.address, taker, settlement.allowanceTarget, (1n << 256n) - 1n);
  }
}
