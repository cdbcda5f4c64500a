/**
 * Swaps 1 ETH for another token and back, to the wei, with viem.
 *
 *   TRIBUTARY_API_KEY=… npm exec -- node examples/swap-with-viem.ts
 *
 * Beside `npm start` it needs nothing else: without PRIVATE_KEY it uses a key of the devnet that all the world knows. On
 * another chain set RPC_URL, PRIVATE_KEY, SELL_WEI, and BUY_TOKEN, a symbol of the service's list.
 */
import { createPublicClient, createWalletClient, defineChain, erc20Abi, type Hex, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { createGrpcTransport } from "../src/client/grpc-transport.ts";
import {
  approvalsFor,
  createSwapClient,
  NATIVE_TOKEN,
  type Quote,
  type SwapRequest,
  transactionOf,
} from "../src/client/index.ts";

const {
  TRIBUTARY_URL = "http://127.0.0.1:8080",
  TRIBUTARY_API_KEY = "",
  RPC_URL = "http://127.0.0.1:8545",
  PRIVATE_KEY = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
  BUY_TOKEN = "USDH",
  SELL_WEI = "1000000000000000000",
} = process.env;

const tributary = createSwapClient({ transport: createGrpcTransport(TRIBUTARY_URL), apiKey: TRIBUTARY_API_KEY });
const account = privateKeyToAccount(PRIVATE_KEY as Hex);
const { tokens } = (await (await fetch(`${TRIBUTARY_URL}/tokens.json`)).json()) as {
  tokens: { chainId: number; address: Hex; symbol: string }[];
};
const buyToken = tokens.find(({ symbol }) => symbol === BUY_TOKEN);
if (buyToken === undefined) throw new Error(`the token list has no ${BUY_TOKEN}`);

const chain = defineChain({
  id: buyToken.chainId,
  name: "the chain that Tributary serves",
  nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
  rpcUrls: { default: { http: [RPC_URL] } },
});
const wallet = createWalletClient({ account, chain, transport: http() });
const node = createPublicClient({ chain, transport: http(), pollingInterval: 200 });
const holding = () =>
  node.readContract({ address: buyToken.address, abi: erc20Abi, functionName: "balanceOf", args: [account.address] });

async function send(transaction: { to: Hex; data: Hex; value: bigint; gas?: bigint }): Promise<bigint> {
  const hash = await wallet.sendTransaction(transaction);
  const { status, blockNumber } = await node.waitForTransactionReceipt({ hash });
  if (status !== "success") throw new Error(`the transaction ${hash} reverted`);
  return blockNumber;
}

/** A quote of a block that is not older than what was sent last: the service is a moment behind the node. */
async function quoteSince(block: bigint, request: SwapRequest): Promise<Quote> {
  for (;;) {
    const quote = await tributary.quote({ ...request, takerAddress: account.address });
    if (BigInt(quote.blockNumber) >= block) return quote;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** Approves what is lacking, exactly as much as is sold, then swaps. */
async function swap(since: bigint, request: SwapRequest): Promise<{ quote: Quote; block: bigint }> {
  let block = since;
  let quote = await quoteSince(block, request);
  const approvals = approvalsFor(quote, account.address);
  for (const approval of approvals) block = await send(approval);
  if (approvals.length > 0) quote = await quoteSince(block, request);
  return { quote, block: await send(transactionOf(quote)) };
}

const before = await holding();
const bought = await swap(0n, { sellToken: NATIVE_TOKEN, buyToken: buyToken.address, sellAmount: BigInt(SELL_WEI) });
const received = (await holding()) - before;
console.log(`quoted ${bought.quote.buyAmount}, received ${received}`);

const sold = await swap(bought.block, { sellToken: buyToken.address, buyToken: NATIVE_TOKEN, sellAmount: received });
console.log(`sold ${sold.quote.sellAmount} back for ${sold.quote.buyAmount} wei`);
process.exit(0);
