import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetChainResponseSchema, ListTokensResponseSchema } from "#gen/swap/v1/tokens_pb.ts";
import { NATIVE_TOKEN } from "../../domain/address.ts";
import type { ServedChain } from "../../quoting/tokens/served-chain.ts";
import type { TokenPage, TradableToken } from "../../quoting/tokens/token-directory.ts";
import { formatRatio } from "./decimal.ts";

/** A page of tokens as the contract spells it. */
export function tokensResponse(
  { block, tokens }: TokenPage,
  nextCursor: string | undefined,
): MessageInitShape<typeof ListTokensResponseSchema> {
  return {
    blockNumber: String(block.number),
    blockHash: block.hash,
    blockTimestamp: String(block.timestamp),
    tokens: tokens.map(tradableToken),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

function tradableToken({ address, token, nativeRate, depth, pools, keptOut }: TradableToken) {
  return {
    address,
    symbol: token?.symbol ?? "",
    name: token?.name ?? "",
    ...(token && { decimals: token.decimals }),
    ...(token?.wholeUnits && { wholeUnits: true }),
    nativeRate: nativeRate === null ? "0" : formatRatio(nativeRate, "down"),
    ...(depth !== undefined && { depth: String(depth) }),
    pools: String(pools),
    ...(keptOut !== undefined && { keptOut }),
  };
}

/** The chain as the contract spells it. */
export function chainResponse(chain: ServedChain, nowMs: number): MessageInitShape<typeof GetChainResponseSchema> {
  const { network, now, deployed } = chain;
  const { explorer, usdToken } = network;
  return {
    chainId: network.chainId,
    name: network.name,
    nativeToken: { address: NATIVE_TOKEN, ...network.native, decimals: 18 },
    wrappedNative: network.wrappedNative,
    ...("unavailable" in now ? { unavailable: now.unavailable } : { block: chainBlock(now, nowMs) }),
    contracts: { ...chain.contracts, ...(deployed !== undefined && { deployed }) },
    limits: chain.limits,
    version: chain.version,
    ...(explorer !== undefined && { explorer }),
    ...(usdToken !== undefined && { usdToken }),
  };
}

function chainBlock({ block, gasPrice }: Exclude<ServedChain["now"], { unavailable: string }>, nowMs: number) {
  return {
    blockNumber: String(block.number),
    blockHash: block.hash,
    blockTimestamp: String(block.timestamp),
    ageSeconds: String(Math.max(0, Math.floor(nowMs / 1_000) - Number(block.timestamp))),
    gasPrice: String(gasPrice),
  };
}
