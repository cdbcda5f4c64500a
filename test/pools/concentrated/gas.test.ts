import type { Hex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toAddress } from "../../../src/domain/address.ts";
import { sqrtRatioAtTick } from "../../../src/math/tick-math.ts";
import { concentratedGas } from "../../../src/pools/concentrated/gas.ts";
import { swap } from "../../../src/pools/concentrated/swap.ts";
import { uniswapV3 } from "../../../src/venues/uniswap-v3/source.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import { deployTokens, deployV3, initialize } from "../../venues/worlds/v3.ts";

/** The gas model against traces of real swaps, whose slots have been written before: the usual case of a pool in use. */

/** Gas that the model counts with the transaction: balances of payer and recipient, cold in a pool's own call. */
const ENDS = 10_000n;

let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

test("a concentrated swap by the ticks it crosses and the words it reads", async () => {
  const world = await deployV3(anvil);
  const source = uniswapV3({ protocol: "uniswap-v3", source: "V3", factory: world.factory, fromBlock: 0n });
  const tokens = await deployTokens(anvil, [world.manager, world.router]);
  const seen: { readonly ticks: number; readonly words: number; readonly measured: bigint; readonly model: bigint }[] =
    [];

  for (const { fee, spacing, layers } of [
    { fee: 3000, spacing: 60, layers: 12 },
    { fee: 500, spacing: 10, layers: 0 },
  ]) {
    const pool = await world.createPool(tokens, fee);
    await initialize(anvil, pool, sqrtRatioAtTick(0) + 1n);
    const size = 10n ** 24n;
    for (let layer = 1; layer <= layers; layer++) {
      await world.mint(tokens, fee, -layer * spacing, layer * spacing, [size, size]);
    }
    const edge = Math.floor(887272 / spacing) * spacing;
    await world.mint(tokens, fee, -edge, edge, [size, size]);
    await mineLater();
    // There and back once over everything, so that the ticks' own slots are no longer zero.
    for (const [from, to] of [tokens, [tokens[1], tokens[0]], [tokens[1], tokens[0]], tokens] as const) {
      await world.swapExactIn(from, to, fee, layers ? 20n * size : size);
      await mineLater();
    }
    const amounts = [10n ** 15n, size / 100n, size / 10n, size / 2n, size, 3n * size, 7n * size, 11n * size];
    for (const amountIn of amounts) {
      for (const zeroForOne of [true, false]) {
        const ref = { id: pool, address: pool, tokens, terms: { fee: String(fee) } };
        const [state] = await source.sync(anvil.reader, [ref], await anvil.head());
        if (state?.curve !== "concentrated") throw new Error("the pool cannot be read");
        const outcome = swap(state.state, zeroForOne, true, amountIn);
        const [from, to] = zeroForOne ? tokens : [tokens[1], tokens[0]];
        const hash = await world.swapExactIn(from, to, fee, amountIn);
        await mineLater();
        const swapped = callsOf(await trace(hash)).find((call) => call.to === pool);
        const { ticksCrossed: ticks, wordsRead: words } = outcome;
        seen.push({ ticks, words, measured: gasOf(swapped), model: concentratedGas(outcome) + ENDS });
      }
    }
  }
  expect(Math.max(...seen.map(({ ticks }) => ticks))).toBeGreaterThan(5);
  expect(Math.max(...seen.map(({ words, ticks }) => words - ticks))).toBeGreaterThan(5);
  for (const { measured, model } of seen) expectNear(model, measured, 9);
});

/** A block as far from the one before as on a chain: then pairs and pools write down their prices. */
async function mineLater(): Promise<void> {
  await anvil.rpc("evm_increaseTime", [12]);
  await anvil.mine();
}

interface Frame {
  readonly from: string;
  readonly to: string;
  readonly input: Hex;
  readonly gasUsed: Hex;
  readonly calls?: readonly Frame[];
}

async function trace(hash: Hex): Promise<Frame> {
  return lowerCase(await anvil.rpc<Frame>("debug_traceTransaction", [hash, { tracer: "callTracer" }]));
}

function lowerCase({ from, to, input, gasUsed, calls }: Frame): Frame {
  return { from: toAddress(from), to: toAddress(to), input, gasUsed, calls: calls?.map(lowerCase) ?? [] };
}

function callsOf(frame: Frame): readonly Frame[] {
  return [frame, ...(frame.calls ?? []).flatMap(callsOf)];
}

function gasOf(frame: Frame | undefined): bigint {
  if (frame === undefined) throw new Error("no such call in the trace");
  return BigInt(frame.gasUsed);
}

function expectNear(model: bigint, measured: bigint, percent: number): void {
  const off = (Math.abs(Number(model - measured)) / Number(measured)) * 100;
  expect(off, `model ${model}, measured ${measured}`).toBeLessThan(percent);
}
