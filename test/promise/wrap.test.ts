import { expect, it } from "vitest";
import { NATIVE_TOKEN } from "../../src/domain/address.ts";
import { FRACTION_ONE, type SwapRequest } from "../../src/quoting/answer/types.ts";
import { testAccount } from "../support/worlds/swap-world.ts";
import { execute } from "./execute.ts";
import { useOutfittedWorld } from "./outfitted-world.ts";

const OLD_HAND = testAccount(1);
const NEWCOMER = testAccount(4);
const AMOUNT = 123_456_789_012_345_678n;

const world = useOutfittedWorld([OLD_HAND], ({ devnet }) => devnet.fund(NATIVE_TOKEN, NEWCOMER, 10n ** 20n));

function request(direction: "wrap" | "unwrap", kind: "exactIn" | "exactOut"): SwapRequest {
  const native = { address: NATIVE_TOKEN, symbol: "ETH", name: "Ether", decimals: 18 };
  const wrapped = { ...native, address: world().devnet.chain.wrappedNative, symbol: "WETH" };
  const [sellToken, buyToken] = direction === "wrap" ? [native, wrapped] : [wrapped, native];
  return {
    sellToken,
    buyToken,
    amount: kind === "exactIn" ? { kind, sellAmount: AMOUNT } : { kind, buyAmount: AMOUNT },
    slippage: FRACTION_ONE / 100n,
    taker: OLD_HAND,
    sources: { kind: "all" },
    skipValidation: false,
  };
}

it.each([
  ["wrap", "exactIn"],
  ["wrap", "exactOut"],
  ["unwrap", "exactIn"],
  ["unwrap", "exactOut"],
] as const)("%s %s moves the amount itself, with nothing but the wrapped token's contract", async (direction, kind) => {
  const answer = await world().quote(request(direction, kind));
  expect(answer.issues).toEqual({ allowance: null, balance: null, simulationIncomplete: false });
  const done = await execute(world(), answer, OLD_HAND);
  expect(done).toMatchObject({ receipt: { succeeded: true }, sold: AMOUNT, bought: AMOUNT });
  expect(done.receipt.gasUsed).toBe(answer.estimatedGas);
});

it("values gas by what those use who hold both, and leaves room for a newcomer's first wrap", async () => {
  for (const direction of ["wrap", "unwrap"] as const) {
    const { receipt } = await execute(world(), await world().quote(request(direction, "exactIn")), OLD_HAND);
    const { estimatedGas } = await world().price({ ...request(direction, "exactIn"), skipValidation: true });
    const off = Math.abs(Number(estimatedGas) / Number(receipt.gasUsed) - 1);
    expect(off, `${estimatedGas} for ${receipt.gasUsed}`).toBeLessThan(0.02);
  }
  const first = await world().quote({ ...request("wrap", "exactIn"), taker: NEWCOMER });
  const { gas } = await world().price({ ...request("wrap", "exactIn"), skipValidation: true });
  const done = await execute(world(), { ...first, gas }, NEWCOMER);
  expect(done.receipt).toMatchObject({ succeeded: true });
  expect(done.receipt.gasUsed).toBeGreaterThan(44_000n);
});
