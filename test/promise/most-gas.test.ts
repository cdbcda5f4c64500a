import { expect, it } from "vitest";
import { FRACTION_ONE, type SwapRequest } from "../../src/quoting/answer/types.ts";
import { testAccount } from "../support/worlds/swap-world.ts";
import { execute } from "./execute.ts";
import { useOutfittedWorld } from "./outfitted-world.ts";

const TAKER = testAccount(1);
/** All of a block's gas: less than half of what the best route takes. */
const BLOCK_GAS = 800_000n;

const world = useOutfittedWorld([TAKER]);

/** A large trade to which gas means nothing. */
async function request(kind: "exactIn" | "exactOut"): Promise<SwapRequest> {
  const named = (symbol: string) => world().devnet.tokens.find((token) => token.symbol === symbol)!;
  const [sellToken, buyToken] = [named("USDH"), named("WETH")];
  const amountOf = async (address: typeof sellToken.address) =>
    (await world().devnet.balanceOf(address, world().devnet.whale)) / 1_000n;
  return {
    sellToken,
    buyToken,
    amount:
      kind === "exactIn"
        ? { kind, sellAmount: await amountOf(sellToken.address) }
        : { kind, buyAmount: await amountOf(buyToken.address) },
    slippage: FRACTION_ONE / 100n,
    taker: TAKER,
    sources: { kind: "all" },
    gasPrice: 0n,
    skipValidation: false,
  };
}

it("no more pools are used than a block has gas for, sold or bought", async () => {
  const kinds = ["exactIn", "exactOut"] as const;
  for (const kind of kinds) expect((await world().quote(await request(kind))).gas).toBeGreaterThan(2n * BLOCK_GAS);
  await world().devnet.rpc("evm_setBlockGasLimit", [`0x${BLOCK_GAS.toString(16)}`]);
  await world().devnet.mine();
  await world().follow();
  for (const kind of kinds) {
    const answer = await world().quote(await request(kind));
    expect(answer.gas).toBeLessThanOrEqual(BLOCK_GAS);
    expect(answer.orders.length).toBeGreaterThan(1);
    expect(answer.issues.simulationIncomplete).toBe(false);
    const done = await execute(world(), answer, TAKER);
    expect(done).toMatchObject({ receipt: { succeeded: true }, sold: answer.sellAmount, bought: answer.buyAmount });
  }
});
