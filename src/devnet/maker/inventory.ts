import { erc20Abi, type Hex, maxUint256, parseEther } from "viem";
import { type Address, toAddress } from "../../domain/address.ts";
import { bundled } from "../contracts/bundle.ts";
import type { JsonRpc } from "../node/json-rpc.ts";
import { callWith, submit, type Transaction } from "../node/node-transactions.ts";
import type { DevnetLayout } from "../plan/layout.ts";
import { unitsWorth } from "../plan/liquidity.ts";

/** Pairs that the reference maker shows levels of, base token first. Each has a Uniswap V2 pair to take the price from. */
export const SHOWN_PAIRS = [
  ["WETH", "USDH"],
  ["WBT", "WETH"],
  ["USDH", "DSD"],
  ["LOCK", "WETH"],
  ["EURF", "USDH"],
] as const;

/** Pairs that it trades for who asks (RFQ), and shows nothing of. */
export const ASKED_PAIRS = [
  ["DAM", "WETH"],
  ["MILL", "WETH"],
  ["TIDE", "WETH"],
] as const;

const WEALTH_USD = 4_000_000n;
const WRAPPED = parseEther("2000");

/** The tokens that it trades. */
function makerTokens(): readonly string[] {
  return [...new Set([...SHOWN_PAIRS, ...ASKED_PAIRS].flat())];
}

/**
 * Gives the maker tokens from the whale and lets OrderSettlement take them; mines a block. Nothing is done where that was
 * done before.
 * @throws Error when a transaction failed
 */
export async function stockMaker(
  rpc: JsonRpc,
  layout: DevnetLayout,
  accounts: { readonly whale: Address; readonly maker: Hex },
  settlement: Address,
): Promise<void> {
  const maker = toAddress(accounts.maker);
  const token = callWith(erc20Abi);
  const weth = layout.token("WETH");
  const asked = token("allowance", weth.address, [maker, settlement]);
  const approved = await rpc.call<Hex>("eth_call", [{ to: weth.address, data: asked.data }, "latest"]);
  if (BigInt(approved) > 0n) return;
  const tokens = makerTokens().map((symbol) => layout.token(symbol));
  const gifts = tokens
    .filter((gift) => gift !== weth)
    .map((gift) => token("transfer", gift.address, [maker, unitsWorth(gift, WEALTH_USD)]));
  const own: readonly Transaction[] = [
    { ...callWith(bundled("WETH9").abi)("deposit", weth.address, []), value: WRAPPED },
    ...tokens.map(({ address }) => token("approve", address, [settlement, maxUint256])),
  ];
  const hashes = [
    ...(await submit(rpc, accounts.whale, await nextNonce(rpc, accounts.whale), gifts)),
    ...(await submit(rpc, maker, await nextNonce(rpc, maker), own)),
  ];
  await rpc.call("evm_mine");
  for (const hash of hashes) {
    const receipt = await rpc.call<{ readonly status: Hex } | null>("eth_getTransactionReceipt", [hash]);
    if (receipt?.status !== "0x1") throw new Error("the reference maker could not be given its tokens");
  }
}

async function nextNonce(rpc: JsonRpc, account: Address): Promise<number> {
  return Number(await rpc.call<Hex>("eth_getTransactionCount", [account, "pending"]));
}
