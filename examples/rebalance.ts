/**
 * Brings an account to target weights: values its balances, asks a ladder how much each pair takes well, swaps that much.
 *
 *   TRIBUTARY_API_KEY=… npm exec -- node examples/rebalance.ts ETH=50 USDH=30 WBT=20
 *
 * Weights are percent. Without PRIVATE_KEY it uses a key of the devnet that all the world knows, and at most MAX_ETH of its ETH.
 */
import { createPublicClient, createWalletClient, defineChain, erc20Abi, type Hex, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import {
  createRestClient,
  NATIVE_TOKEN,
  type Quote,
  type SwapRequest,
  toBaseUnits,
  toDecimal,
  withRetries,
} from "../src/client/rest.ts";
import { sendQuote } from "../src/client/viem.ts";

const {
  TRIBUTARY_URL = "http://127.0.0.1:8080",
  TRIBUTARY_API_KEY = "",
  RPC_URL = "http://127.0.0.1:8545",
  PRIVATE_KEY = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
  MAX_ETH = "100",
} = process.env;
/** Percent of a trade that its own size may cost. */
const MAX_IMPACT = 1;
/** Sizes that a ladder asks for. */
const RUNGS = 16n;
/** Wei kept for gas. */
const RESERVE = 10n ** 17n;

interface Holding {
  readonly symbol: string;
  readonly address: string;
  readonly decimals: number;
  /** Percent of the whole that it should be. */
  readonly weight: bigint;
  readonly balance: bigint;
}

const tributary = withRetries(createRestClient({ baseUrl: TRIBUTARY_URL, apiKey: TRIBUTARY_API_KEY }));
const account = privateKeyToAccount(PRIVATE_KEY as Hex);
const { chainId, name, nativeToken } = await tributary.chain();
if (nativeToken === undefined) throw new Error("the service names no native token");
const rpcUrls = { default: { http: [RPC_URL] } };
const chain = defineChain({ id: chainId, name, nativeCurrency: nativeToken, rpcUrls });
const wallet = createWalletClient({ account, chain, transport: http() });
const reader = createPublicClient({ chain, transport: http(), pollingInterval: 200 });

async function holdingOf(symbol: string, weight: bigint): Promise<Holding> {
  if (symbol === nativeToken?.symbol) {
    const all = (await reader.getBalance(account)) - RESERVE;
    const most = toBaseUnits(MAX_ETH, nativeToken.decimals) ?? 0n;
    return { ...nativeToken, weight, balance: all < 0n ? 0n : all < most ? all : most };
  }
  const { tokens } = await tributary.tokens({ search: symbol });
  const token = tokens.find((it) => it.symbol === symbol);
  if (token?.decimals === undefined) throw new Error(`the service does not trade ${symbol}`);
  const { address, decimals } = token;
  const args = [account.address] as const;
  const balance = await reader.readContract({
    address: address as Hex,
    abi: erc20Abi,
    functionName: "balanceOf",
    args,
  });
  return { symbol, address, decimals, weight, balance };
}

/** Wei that each balance would bring if it were sold now, all of one block. */
async function valuesOf(holdings: readonly Holding[]): Promise<ReadonlyMap<Holding, bigint>> {
  const sold = holdings.filter(({ address, balance }) => address !== NATIVE_TOKEN && balance > 0n);
  const { results } =
    sold.length === 0
      ? { results: [] }
      : await tributary.prices(
          sold.map(({ address, balance }) => ({ sellToken: address, buyToken: NATIVE_TOKEN, sellAmount: balance })),
        );
  const values = new Map(holdings.map((it) => [it, it.address === NATIVE_TOKEN ? it.balance : 0n]));
  for (const [at, { result }] of results.entries()) {
    if (result.case !== "price") throw new Error(`${sold[at]?.symbol} has no price`);
    values.set(sold[at] as Holding, BigInt(result.value.buyAmount));
  }
  return values;
}

/** The largest part of an amount whose impact is bearable; 0 where even the smallest rung costs too much. */
async function bearable(sellToken: string, buyToken: string, wanted: bigint): Promise<bigint> {
  const sizes = Array.from({ length: Number(RUNGS) }, (_, at) => (wanted * BigInt(at + 1)) / RUNGS);
  const sellAmounts = sizes.filter((size) => size > 0n);
  if (sellAmounts.length === 0) return 0n;
  const { entries } = await tributary.ladder({ sellToken, buyToken, sellAmounts });
  const good = entries.findLast(
    ({ result }) => result.case === "price" && Number(result.value.estimatedPriceImpact ?? Infinity) <= MAX_IMPACT,
  );
  return BigInt(good?.amount ?? 0);
}

/** A quote of a block that is not older than what was sent last: the service is a moment behind the node. */
async function quoteSince(block: bigint, request: SwapRequest): Promise<Quote> {
  for (;;) {
    const quote = await tributary.quote({ ...request, takerAddress: account.address });
    if (BigInt(quote.blockNumber) >= block) return quote;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Swaps as much of an amount as is bearable, and tells what came of it. */
async function swap(sell: Holding, buy: Holding, wanted: bigint, since: bigint): Promise<bigint> {
  const sellAmount = await bearable(sell.address, buy.address, wanted);
  if (sellAmount === 0n) {
    console.log(`${sell.symbol} for ${buy.symbol}: every size costs more than ${MAX_IMPACT} %`);
    return since;
  }
  const quote = await quoteSince(since, { sellToken: sell.address, buyToken: buy.address, sellAmount });
  const hash = await sendQuote({ quote, wallet, reader });
  const { status, blockNumber } = await reader.waitForTransactionReceipt({ hash });
  if (status !== "success") throw new Error(`the swap ${hash} was reverted`);
  const show = (units: string, { symbol, decimals }: Holding) => `${toDecimal(BigInt(units), decimals)} ${symbol}`;
  console.log(`sold ${show(quote.sellAmount, sell)} for ${show(quote.buyAmount, buy)}`);
  return blockNumber;
}

const targets = process.argv.slice(2).map((word) => /^(\w+)=(\d+)$/.exec(word) ?? [word, word, "0"]);
if (targets.reduce((sum, [, , weight]) => sum + Number(weight), 0) !== 100)
  throw new Error("say weights that add up to 100, such as ETH=50 USDH=30 WBT=20");
const holdings = await Promise.all(targets.map(([, symbol = "", weight = ""]) => holdingOf(symbol, BigInt(weight))));
const native = holdings.find(({ address }) => address === NATIVE_TOKEN);
if (native === undefined) throw new Error(`give ${nativeToken.symbol} a weight: all trades lead over it`);

const values = await valuesOf(holdings);
const worthOf = (it: Holding) => values.get(it) ?? 0n;
const whole = holdings.reduce((sum, it) => sum + worthOf(it), 0n);
/** Wei that a holding is worth more than it should be. */
const excessOf = (it: Holding) => worthOf(it) - (whole * it.weight) / 100n;

let block = await reader.getBlockNumber();
// Sales come first: they bring what the purchases spend. What is off by less than 0.5 % of the whole stays.
const off = holdings.filter((it) => it !== native && 200n * abs(excessOf(it)) > whole);
for (const it of off.filter((each) => excessOf(each) > 0n))
  block = await swap(it, native, (it.balance * excessOf(it)) / worthOf(it), block);
for (const it of off.filter((each) => excessOf(each) < 0n)) block = await swap(native, it, -excessOf(it), block);

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
