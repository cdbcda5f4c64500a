import { describe, expect, it, test } from "vitest";
import { RpcError, reasonOf } from "../../../src/chain/rpc/provider-errors.ts";
import {
  type ProviderFault,
  providerFaultOf,
  statedRange,
  statedWaitMs,
} from "../../../src/chain/rpc/provider-messages.ts";

/** Error messages by provider, with code and meaning. */
const SAID: readonly (readonly [who: string, code: number, words: string, trouble: ProviderFault])[] = [
  [
    "Alchemy",
    429,
    "Your app has exceeded its compute units per second capacity. If you have retries enabled, you can safely ignore this message.",
    "limit",
  ],
  [
    "QuickNode",
    -32007,
    "50/second request limit reached - reduce calls per second or upgrade your account at quicknode.com",
    "limit",
  ],
  ["QuickNode, credits", -32012, "credits limited to 6000/sec", "limit"],
  ["Base's public node", -32016, "over rate limit", "limit"],
  ["EIP-1474", -32005, "limit exceeded", "limit"],
  ["Infura", -32005, "project ID request rate exceeded", "limit"],
  ["Ankr", -32090, "Too many requests, reason: call rate limit exhausted, retry in 10s", "limit"],
  ["dRPC", 15, "Too many request, try again later", "limit"],
  ["Chainstack", -32005, "You've exceeded the RPS limit available on the current plan.", "limit"],
  ["without a code that is known", -32000, "rate limited", "limit"],
  [
    "Alchemy, month",
    429,
    "Monthly capacity limit exceeded. Visit your dashboard to upgrade your scaling policy.",
    "account",
  ],
  ["Infura, day", -32005, "daily request count exceeded, request rate limited", "account"],
  ["QuickNode, day", -32003, "daily request limit reached - upgrade your account at quicknode.com", "account"],
  ["Ankr, key", -32000, "Unauthorized: You must authenticate your request with an API key.", "account"],
  ["Infura, key", -32002, "invalid project id", "account"],
  ["expired", -32000, "API key expired", "account"],
  ["spent", -32000, "quota exceeded, please top up", "account"],
  ["suspended", -32000, "this app is suspended", "account"],
  ["Infura", -32005, "query returned more than 10000 results. Try with this block range [0x100, 0x1ff].", "too-much"],
  ["Infura, since 2026", -32602, "range 1000000 exceeds limit of 10000", "too-much"],
  [
    "Alchemy",
    -32602,
    "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size",
    "too-much",
  ],
  [
    "Alchemy, free",
    -32600,
    "Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.",
    "too-much",
  ],
  [
    "Alchemy, others",
    -32600,
    "You can make eth_getLogs requests with up to a 500 block range. Based on your parameters, this block range should work: [0x1a30dfd, 0x1a30ff0]",
    "too-much",
  ],
  ["QuickNode", -32614, "eth_getLogs is limited to a 10,000 range", "too-much"],
  ["QuickNode, free", -32615, "eth_getLogs is limited to a 5 range", "too-much"],
  ["Besu", -32005, "Requested range exceeds maximum RPC range limit", "too-much"],
  ["reth", -32602, "query exceeds max block range 100000", "too-much"],
  ["reth, results", -32602, "query exceeds max results 20000, retry with the range 24383075-24383096", "too-much"],
  ["Erigon", -32602, "query block range exceeds server limit, narrow your filter: 5", "too-much"],
  ["BNB geth", -32000, "exceed maximum block range: 5000", "too-much"],
  ["Avalanche", -32000, "requested too many blocks from 0 to 5000, maximum is set to 2048", "too-much"],
  [
    "Polygon, others",
    -32000,
    "block range is larger than max block range, block range = 5120, max block range = 5000",
    "too-much",
  ],
  ["cdk-erigon", -32005, "block range too large, max range: 1000", "too-much"],
  ["Ankr", -32062, "Block range is too large", "too-much"],
  ["dRPC, free", 35, "ranges over 10000 blocks are not supported on freetier", "too-much"],
  [
    "Chainstack",
    -32602,
    "Block range limit exceeded. See more details at https://docs.chainstack.com/docs/limits#evm-range-limits",
    "too-much",
  ],
  ["Candle", -32600, "block range too high", "too-much"],
  ["anvil", -32603, "response is too large", "too-much"],
  ["Infura, slow", -32005, "query timeout exceeded", "too-much"],
  ["geth", 4444, "pruned history unavailable", "pruned"],
  ["an archive elsewhere", -32000, "history has been pruned for this block", "pruned"],
  ["Infura, archive", -32002, "project ID does not have access to archive state", "pruned"],
  ["geth, state", -32000, "missing trie node 5a04b0 (path ) state 0x5a04b0 is not available", "unknown-block"],
  ["geth, header", -32000, "header not found", "unknown-block"],
  ["geth, logs", -32000, "unknown block", "unknown-block"],
  ["Erigon", -32000, "block 0x1234 not found", "unknown-block"],
  ["Nethermind", -32001, "Header not found", "unknown-block"],
  ["geth", -32601, "the method eth_simulateV1 does not exist/is not available", "unsupported"],
  ["Hardhat", -32004, "Method eth_getBlockReceipts is not supported", "unsupported"],
  ["reth", -32601, "Method not found", "unsupported"],
  ["a plan", -32600, "eth_simulateV1 is not available on the Free tier - upgrade to Pay As You Go", "unsupported"],
  ["geth", 3, "execution reverted: too many requests", "execution"],
  ["Nethermind", -32015, "VM execution error: revert unauthorized", "execution"],
  ["Besu", -32000, "Execution reverted", "execution"],
  ["Erigon", -32000, "out of gas", "execution"],
  ["anvil", -32003, "OutOfGas", "execution"],
  ["nobody", -32000, "an error", "other"],
  ["geth", -32000, "insufficient funds for gas * price + value", "other"],
];

describe("what a node's error means", () => {
  it.each(SAID)("%s: %i %s", (_, code, words, trouble) => {
    expect(providerFaultOf(code, words)).toBe(trouble);
  });

  test("the name of the method is no word of the node's", () => {
    const missing = new RpcError(-32601, "eth_getBlockReceipts: not found");
    expect(reasonOf(missing)).toBe("eth_getBlockReceipts: the node does not have the method (code -32601)");
  });
});

test.each([
  ["eth_getLogs is limited to a 10,000 range", 10_000n],
  ["Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.", 10n],
  ["You can make eth_getLogs requests with up to a 2K block range", 2_000n],
  ["exceed maximum block range: 5000", 5_000n],
  ["block range too large, max range: 1000", 1_000n],
  ["query exceeds max block range 100000", 100_000n],
  ["requested too many blocks from 0 to 5000, maximum is set to 2048", 2_048n],
  ["ranges over 10000 blocks are not supported on freetier", 10_000n],
  ["range 1000000 exceeds limit of 10000", 10_000n],
  ["Block range is too large", undefined],
])("the range that a node tells: %s", (words, blocks) => {
  expect(statedRange(words)).toBe(blocks);
});

test.each([
  ["call rate limit exhausted, retry in 10s", 10_000],
  ["slow down, retry after 500ms", 500],
  ["try again in 2 min", 120_000],
  ["slow down", undefined],
])("the wait that a node tells: %s", (words, ms) => {
  expect(statedWaitMs(words)).toBe(ms);
});
