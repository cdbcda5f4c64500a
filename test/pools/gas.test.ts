import { encodeFunctionData, type Hex, parseAbi } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundled } from "../../src/devnet/bundle.ts";
import { type Address, toAddress } from "../../src/domain/address.ts";
import { sqrtRatioAtTick } from "../../src/math/tick-math.ts";
import { concentratedGas } from "../../src/pools/concentrated/gas.ts";
import { swap } from "../../src/pools/concentrated/swap.ts";
import { CONSTANT_PRODUCT_GAS } from "../../src/pools/constant-product/gas.ts";
import { uniswapV3 } from "../../src/sources/uniswap-v3/source.ts";
import { WRAP_GAS } from "../../src/sources/wrapped-native/source.ts";
import { type Anvil, startAnvil } from "../sources/anvil.ts";
import { callRouter, deployV2 } from "../sources/v2-world.ts";
import { deployTokens, deployV3, initialize } from "../sources/v3-world.ts";

/** The gas model against traces of real swaps, whose slots have been written before: the usual case of a pool in use. */

let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

test("a pair's swap with both transfers", async () => {
  const world = await deployV2(anvil, "uniswap");
  const tokens = await deployTokens(anvil, [world.router]);
  const pair = await world.createPair(tokens);
  await callRouter(anvil, world.router, "addLiquidity", [...tokens, 10n ** 24n, 10n ** 24n, 0n, 0n]);
  await mineLater();
  const backwards = [...tokens].reverse();
  await callRouter(anvil, world.router, "swapExactTokensForTokens", [10n ** 18n, 0n, tokens]);
  await mineLater();
  for (const path of [backwards, tokens, backwards]) {
    const hash = await callRouter(anvil, world.router, "swapExactTokensForTokens", [10n ** 18n, 0n, path]);
    await mineLater();
    const calls = callsOf(await trace(hash));
    const paid = calls.find(({ to, from }) => to === path[0] && from === world.router);
    const swapped = calls.find(({ to, input }) => to === pair && input.length > 10 + 64 * 3);
    const measured = gasOf(paid) + gasOf(swapped);
    expectNear(CONSTANT_PRODUCT_GAS, measured, 5);
  }
});

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
        seen.push({ ticks, words, measured: gasOf(swapped), model: concentratedGas(outcome) });
      }
    }
  }
  expect(Math.max(...seen.map(({ ticks }) => ticks))).toBeGreaterThan(5);
  expect(Math.max(...seen.map(({ words, ticks }) => words - ticks))).toBeGreaterThan(5);
  for (const { measured, model } of seen) expectNear(model, measured, 9);
});

test("wrapping for a contract that holds nothing, the dearer way", async () => {
  const { abi, bytecode } = bundled("WETH9");
  const wrapped = await anvil.deploy(abi, bytecode);
  const callData = encodeFunctionData({ abi, functionName: "deposit" });
  const batch = async (calls: readonly ValueCall[], value: bigint) => {
    const data = encodeFunctionData({ abi: BATCH, functionName: "aggregate3Value", args: [calls] });
    const hash = await anvil.send(anvil.multicall, data, value);
    await mineLater();
    return gasOf(await trace(hash));
  };
  const without = await batch([], 0n);
  const with7 = await batch([{ target: wrapped, allowFailure: false, value: 7n, callData }], 7n);
  const deposited = with7 - without;
  await anvil.send(wrapped, callData, 7n);
  await mineLater();
  const hash = await anvil.send(wrapped, encodeFunctionData({ abi, functionName: "withdraw", args: [5n] }));
  await mineLater();
  expect(gasOf(await trace(hash)) - 21_000n).toBeLessThan(deposited);
  expectNear(WRAP_GAS, deposited, 5);
});

const BATCH = parseAbi([
  "struct Call { address target; bool allowFailure; uint256 value; bytes callData; }",
  "function aggregate3Value(Call[] calls) payable",
]);

/** A block as far from the one before as on a chain: then pairs and pools write down their prices. */
async function mineLater(): Promise<void> {
  await anvil.rpc("evm_increaseTime", [12]);
  await anvil.mine();
}

interface ValueCall {
  readonly target: Address;
  readonly allowFailure: boolean;
  readonly value: bigint;
  readonly callData: Hex;
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
