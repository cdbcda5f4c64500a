/**
 * Measures the gas of swaps through our contracts beside the venues' own routers, same pools, same state. Writes the table of
 * docs/settlement.md, and into docs/gas.md who uses the gas of native token in.
 *
 *   node bench/settlement/bench.ts
 */
import { encodeFunctionData, type Hex, hexToBytes } from "viem";
import { compiled } from "../../fixtures/settlement/node.ts";
import { type Drawn, withOrders } from "../../fixtures/settlement/orders.ts";
import { exactIn, exactOut, type PoolUse } from "../../fixtures/settlement/routes.ts";
import { FAR, termsFor } from "../../fixtures/settlement/swap.ts";
import { createWorld, UNIT } from "../../fixtures/settlement/venues.ts";
import { bundled } from "../../src/devnet/contracts/bundle.ts";
import { type Address, NATIVE_TOKEN } from "../../src/domain/address.ts";
import type { Route } from "../../src/domain/route.ts";
import { feeOn } from "../../src/quoting/cost/amounts.ts";
import type { SignedBy, SwapTerms } from "../../src/quoting/ports.ts";
import { settlementContracts } from "../../src/settlement/contracts.ts";
import type { GatewayOrder } from "../../src/settlement/permits.ts";
import { intoDocs } from "../into-docs.ts";
import { besides, newestSteps } from "./steps.ts";

const world = await createWorld();
const { node, taker, usd, dai, gem, weth, venues, settlement } = world;
const amount = 100n * UNIT;
const lines = ["| swap | venue's own router | ours | calldata bytes | model |", "|---|---|---|---|---|"];
/** Gas of the venue's own router for the swap that is measured next. */
let router: { readonly name: string; readonly gas: bigint } | undefined;

/** Gas of the newest transaction. */
let newest = 0n;

/** Each row starts from the same state, one block time after the pools were last used. */
async function measure(transaction: { to: Address; data: Hex; value?: bigint }): Promise<bigint> {
  await world.restore();
  await node.rpc("evm_increaseTime", 12);
  newest = (await node.send({ from: taker, ...transaction })).gasUsed;
  return newest;
}

async function ours(name: string, route: Route, changes: Partial<SwapTerms> = {}): Promise<void> {
  const terms = termsFor(route, changes);
  const transaction = settlement.encode(route, terms, world.actionOf);
  const gas = await measure(transaction);
  const beside = router === undefined ? "" : `${shown(router.gas)}${router.name}`;
  const more = router === undefined ? "" : ` (${percentMore(gas, router.gas)})`;
  const size = hexToBytes(transaction.data).length;
  lines.push(`| ${name} | ${beside} | ${shown(gas)}${more} | ${size} | ${shown(settlement.gas(route, terms))} |`);
  router = undefined;
}

/** `name`: of the router, where a row is the first to have it. */
async function theirs(at: Address, data: Hex, { name, value = 0n }: { name?: string; value?: bigint } = {}) {
  router = { name: name === undefined ? "" : ` (${name})`, gas: await measure({ to: at, data, value }) };
}

const shown = (gas: bigint) => gas.toLocaleString("en-US");
const percentMore = (gas: bigint, than: bigint) => `+${((Number(gas - than) / Number(than)) * 100).toFixed(1)} %`;

const v2Factory = bundled("UniswapV2Pair");
const factory2 = await node.read<Address>(venues.usdDai, v2Factory.abi, "factory");
const factory3 = await node.read<Address>(venues.usdDaiV3, bundled("UniswapV3Pool").abi, "factory");
const v2Router = bundled("UniswapV2Router02");
const v3Router = bundled("SwapRouter");
const router2 = await node.deploy(v2Router, factory2, weth);
const router3 = await node.deploy(v3Router, factory3, weth);
for (const router of [router2, router3]) {
  await node.write(taker, usd, compiled("PlainToken").abi, "approve", router, 2n ** 256n - 1n);
}
await world.keep();

const one = (...uses: PoolUse[]) => exactIn(world, uses[0]![1], uses.at(-1)![2], amount, uses);
const fee = { ratePpm: 1_000n, recipient: world.integrator };

await theirs(
  router2,
  encodeFunctionData({
    abi: v2Router.abi,
    functionName: "swapExactTokensForTokens",
    args: [amount, 1n, [usd, dai], taker, FAR],
  }),
  { name: "UniswapV2Router02" },
);
await ours("one V2 pair", one([venues.usdDai, usd, dai]));
await ours("one V2 pair, with a fee", one([venues.usdDai, usd, dai]), { fee });
await theirs(
  router3,
  encodeFunctionData({
    abi: v3Router.abi,
    functionName: "exactInputSingle",
    args: [
      {
        ...{ tokenIn: usd, tokenOut: dai, fee: 500, recipient: taker, deadline: FAR },
        ...{ amountIn: amount, amountOutMinimum: 1n, sqrtPriceLimitX96: 0n },
      },
    ],
  }),
  { name: "SwapRouter" },
);
await ours("one V3 pool", one([venues.usdDaiV3, usd, dai]));
await ours("one V3 pool, with a fee", one([venues.usdDaiV3, usd, dai]), { fee });
await theirs(
  router2,
  encodeFunctionData({
    abi: v2Router.abi,
    functionName: "swapExactTokensForTokens",
    args: [amount, 1n, [usd, dai, gem], taker, FAR],
  }),
);
await ours("V2 to V2", one([venues.usdDai, usd, dai], [venues.daiGem, dai, gem]));
const feeHex = (fee3: number) => fee3.toString(16).padStart(6, "0");
const path: Hex = `0x${usd.slice(2)}${feeHex(500)}${dai.slice(2)}${feeHex(3_000)}${gem.slice(2)}`;
await theirs(
  router3,
  encodeFunctionData({
    abi: v3Router.abi,
    functionName: "exactInput",
    args: [{ path, recipient: taker, deadline: FAR, amountIn: amount, amountOutMinimum: 1n }],
  }),
);
await ours("V3 to V3", one([venues.usdDaiV3, usd, dai], [venues.daiGemV3, dai, gem]));
await ours("V3 to V2", one([venues.usdDaiV3, usd, dai], [venues.daiGem, dai, gem]));
await ours("V2 to V3", one([venues.usdDai, usd, dai], [venues.daiGemV3, dai, gem]));
await ours("V3 + V2", one([venues.usdDaiV3, usd, dai, 60], [venues.usdDai, usd, dai]));
await ours(
  "(V3 + V2) to V2",
  one([venues.usdDaiV3, usd, dai, 60], [venues.usdDai, usd, dai], [venues.daiGem, dai, gem]),
);
await ours(
  "V3 + V2 + V2 fork",
  one([venues.usdDaiV3, usd, dai, 60], [venues.usdDai, usd, dai, 50], [venues.usdDaiPancake, usd, dai]),
);
await theirs(
  router2,
  encodeFunctionData({ abi: v2Router.abi, functionName: "swapExactETHForTokens", args: [1n, [weth, usd], taker, FAR] }),
  { value: UNIT },
);
const names = new Map([
  [router2, "the venue's own router"],
  [settlement.allowanceTarget, "gateway"],
  [settlementContracts(weth).executor.address, "executor"],
  [weth, "wrapper: deposit, transfer, balance"],
  [venues.usdWeth, "pair: its reserves and the swap"],
  [usd, "bought token: transfer and balances"],
]);
const routersSteps = await newestSteps(node, router!.gas, names);
await ours(
  "native in, V2",
  exactIn(world, NATIVE_TOKEN, usd, UNIT, [
    [weth, NATIVE_TOKEN, weth],
    [venues.usdWeth, weth, usd],
  ]),
);
const nativeSteps = [routersSteps, await newestSteps(node, newest, names)];
await theirs(
  router2,
  encodeFunctionData({
    abi: v2Router.abi,
    functionName: "swapExactTokensForETH",
    args: [UNIT, 1n, [usd, weth], taker, FAR],
  }),
);
await ours(
  "native out, V2",
  exactIn(world, usd, NATIVE_TOKEN, UNIT, [
    [venues.usdWeth, usd, weth],
    [weth, weth, NATIVE_TOKEN],
  ]),
);
await ours("exact-out, V2", exactOut(world, usd, dai, amount, [[venues.usdDai, usd, dai]]));
await ours("exact-out, V3", exactOut(world, usd, dai, amount, [[venues.usdDaiV3, usd, dai]]));
await ours(
  "exact-out, V3 to V3",
  exactOut(world, usd, gem, amount, [
    [venues.daiGemV3, dai, gem],
    [venues.usdDaiV3, usd, dai],
  ]),
);
await ours(
  "exact-out, V2 to V2",
  exactOut(world, usd, gem, amount, [
    [venues.daiGem, dai, gem],
    [venues.usdDai, usd, dai],
  ]),
);
await ours(
  "exact-out, V3 to (V3 + V2)",
  exactOut(world, usd, gem, amount, [
    [venues.daiGemV3, dai, gem, 60],
    [venues.daiGem, dai, gem],
    [venues.usdDaiV3, usd, dai],
  ]),
);
await ours(
  "exact-out, native in, V3",
  exactOut(world, NATIVE_TOKEN, usd, UNIT, [
    [venues.usdWethV3, weth, usd],
    [weth, NATIVE_TOKEN, weth],
  ]),
  { maxSellAmount: 2n * UNIT },
);
const hop = one([venues.usdDai, usd, dai]);
await ours("one V2 pair, whole balance", hop, { wholeBalance: true });
await ours("one V2 pair, four fees", hop, { fee: { ...fee, others: [fee, fee, fee] }, minBuyAmount: 1n });
const sold = { ...fee, fromSold: true };
const less = exactIn(world, usd, dai, amount - feeOn(amount, sold), [[venues.usdDai, usd, dai]]);
await ours("one V2 pair, a fee of the sold token", less, { fee: sold, maxSellAmount: amount });

/** Gas of an order drawn by a signature, and the model's figure for it. */
async function bySignature(name: string, order: GatewayOrder, drawn: Drawn, signed: SignedBy): Promise<void> {
  const data = orders.dataOf(order, orders.payloadOf(hop), drawn);
  const gas = await measure({ to: settlement.allowanceTarget, data });
  const model = settlement.gas(hop, termsFor(hop, { signed }));
  lines.push(`| ${name} |  | ${shown(gas)} | ${hexToBytes(data).length} | ${shown(model)} |`);
}
await world.restore();
const orders = await withOrders(world);
const order = orders.orderFor(hop);
await bySignature("one V2 pair, by Permit2", order, await orders.signed(order, orders.payloadOf(hop)), {
  ...{ kind: "permit2", owner: taker, nonce: 0n },
});

console.log(lines.join("\n"));
intoDocs("settlement.md", "bench/settlement", `${lines.join("\n")}\n`);
intoDocs("gas.md", "bench/settlement", besides(["venue's own router", "ours"], nativeSteps));
await node.stop();
