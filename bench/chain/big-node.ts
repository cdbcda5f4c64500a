/** A node of a synthetic chain behind a provider with limits, as a process of its own: first-day.ts starts it. */
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { toEventSelector } from "viem";
import { AGGREGATE3 } from "../../src/chain/rpc/multicall.ts";
import { type Hex, ZERO_ADDRESS } from "../../src/domain/address.ts";
import { BigChain, CONTRACTS, HEAD, sizesOf, V4_KEY } from "./big-chain.ts";
import { addressWord, array, BigContracts, PRICE, V3_FEE, V3_SPACING, word } from "./big-contracts.ts";

const { values } = parseArgs({
  options: {
    scale: { type: "string", default: "1" },
    rate: { type: "string", default: "100" },
    "latency-ms": { type: "string", default: "50" },
    "block-ms": { type: "string", default: "12000" },
    changed: { type: "string", default: "500" },
  },
});
const [scale, rate, latencyMs, blockMs, changed] = (
  ["scale", "rate", "latency-ms", "block-ms", "changed"] as const
).map((name) => Number(values[name])) as [number, number, number, number, number];
const MAX_BLOCKS = 10_000;
const chain = new BigChain({ ...sizesOf(scale), blockMs, changed });
const began = Date.now();
const topic = (event: string) => toEventSelector(event);
/** Events that announce a pool of a kind; Curve's stand in a list. */
const ANNOUNCEMENTS = {
  v2: topic("PairCreated(address,address,address,uint256)"),
  v3: topic("PoolCreated(address,address,uint24,int24,address)"),
  v4: topic("Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)"),
  balancer: topic("TokensRegistered(bytes32,address[],address[])"),
} as const;
type Announced = keyof typeof ANNOUNCEMENTS;
const ANNOUNCED = Object.keys(ANNOUNCEMENTS) as readonly Announced[];
const SYNC = topic("Sync(uint112,uint112)");
const hashOf = (block: number): Hex => `0xb10c${block.toString(16).padStart(60, "0")}`;
const blockOfHash = (hash: string) => Number.parseInt(hash.slice(6), 16);
const head = () => HEAD + Math.floor((Date.now() - began) / blockMs);
const contracts = new BigContracts(chain);

type Filter = { readonly address?: unknown; readonly topics?: readonly [readonly string[]] } & Partial<
  Record<"fromBlock" | "toBlock" | "blockHash", string>
>;

function* announcements(kind: Announced, from: number, to: number): Generator<ReturnType<typeof log>> {
  const [first, end] = chain.announced(kind, from, to);
  for (let index = first; index < end; index++) {
    const [topics, data] = announcement(kind, index);
    // A venue's own logs are in the order of their blocks, and its index is far below that of the next one.
    const place = index + (ANNOUNCED.indexOf(kind) + 1) * 1_000_000;
    yield log(CONTRACTS[kind], [ANNOUNCEMENTS[kind], ...topics], data, chain.blockOf(kind, index), place);
  }
}

/** Topics behind the first, and data. */
function announcement(kind: Announced, index: number): readonly [readonly string[], string] {
  const tokens = chain.tokensOf(kind, index).map(addressWord);
  const topics = tokens.map((token) => `0x${token}`);
  const pool = addressWord(chain.poolAddress(kind, index));
  switch (kind) {
    case "v2":
      return [topics, `${pool}${word(index)}`];
    case "v3":
      return [[...topics, `0x${word(V3_FEE)}`], `${word(V3_SPACING)}${pool}`];
    case "v4":
      return [
        [chain.idOf(index), ...topics],
        [V4_KEY.fee, V4_KEY.tickSpacing, ZERO_ADDRESS, PRICE, 0].map((field) => word(BigInt(field))).join(""),
      ];
    case "balancer": {
      const managers = tokens.map(() => word(0));
      return [[chain.balancerId(index)], `${word(64)}${word(160)}${array(tokens)}${array(managers)}`];
    }
  }
}

function log(address: string, topics: readonly string[], data: string, block: number, index: number) {
  const place = {
    blockNumber: `0x${block.toString(16)}`,
    blockHash: hashOf(block),
    logIndex: `0x${index.toString(16)}`,
  };
  return { address, topics, data: `0x${data}`, ...place, removed: false };
}

function logsOf({ topics, fromBlock, toBlock, blockHash }: Filter): unknown {
  const wanted = topics?.[0] ?? [...Object.values(ANNOUNCEMENTS), SYNC];
  if (blockHash !== undefined) {
    const block = blockOfHash(blockHash);
    if (!wanted.includes(SYNC) || block <= HEAD) return [];
    return chain.changedIn(block).map((index, place) => {
      return log(
        chain.poolAddress("v2", index),
        [SYNC],
        chain.reservesAt(index, block).map(word).join(""),
        block,
        place,
      );
    });
  }
  const [from, to] = [Number(fromBlock), Number(toBlock)];
  if (to - from >= MAX_BLOCKS)
    return { error: { code: -32005, message: `query exceeds max block range ${MAX_BLOCKS}` } };
  const logs = ANNOUNCED.flatMap((kind) =>
    wanted.includes(ANNOUNCEMENTS[kind]) ? [...announcements(kind, from, to)] : [],
  );
  return logs.sort((a, b) => Number(a.blockNumber) - Number(b.blockNumber) || Number(a.logIndex) - Number(b.logIndex));
}

function headerOf(block: number): unknown {
  if (block > head() || Number.isNaN(block)) return null;
  const timestamp = Math.floor((began + (block - HEAD) * blockMs) / 1_000);
  const number = `0x${block.toString(16)}`;
  const fixed = { logsBloom: `0x${"0".repeat(512)}`, baseFeePerGas: "0x3b9aca00", gasLimit: "0x1c9c380" };
  return {
    number,
    hash: hashOf(block),
    parentHash: hashOf(block - 1),
    timestamp: `0x${timestamp.toString(16)}`,
    ...fixed,
  };
}

function result(method: string, params: readonly unknown[]): unknown {
  const [first, second] = params;
  switch (method) {
    case "eth_chainId":
      return `0x${chain.record.chainId.toString(16)}`;
    case "eth_gasPrice":
      return "0x3b9aca00";
    case "eth_blockNumber":
      return `0x${head().toString(16)}`;
    case "eth_getBlockByNumber":
      return headerOf(first === "latest" ? head() : Number(first));
    case "eth_getBlockByHash":
      return headerOf(blockOfHash(String(first)));
    case "eth_getCode":
      return `0x60${AGGREGATE3}`;
    case "eth_getLogs":
      return logsOf(first as Filter);
    case "eth_call": {
      const { to = "", data = "0x" } = first as { to?: string; data?: string };
      const hash = (second as { blockHash?: string } | undefined)?.blockHash;
      return (
        contracts.call(to, data.slice(2), hash === undefined ? head() : blockOfHash(hash)) ?? {
          error: { code: 3, message: "execution reverted", data: "0x" },
        }
      );
    }
    default:
      return { error: { code: -32601, message: `the method ${method} does not exist/is not available` } };
  }
}

const counts: Record<string, number> = {};
let tokens = rate;
let filledAt = Date.now();

/** Whether a request is within the provider's rate. */
function isAllowed(): boolean {
  const now = Date.now();
  tokens = Math.min(rate, tokens + ((now - filledAt) * rate) / 1_000);
  filledAt = now;
  if (tokens < 1) return false;
  tokens -= 1;
  return true;
}

function answerTo({ id, method, params = [] }: { id: unknown; method: string; params?: readonly unknown[] }): unknown {
  counts[method] = (counts[method] ?? 0) + 1;
  const answer = result(method, params);
  const isError = typeof answer === "object" && answer !== null && "error" in answer;
  return isError ? { jsonrpc: "2.0", id, ...answer } : { jsonrpc: "2.0", id, result: answer };
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    if (request.url === "/counts") {
      const { user, system } = process.cpuUsage();
      return response.end(JSON.stringify({ counts, head: head(), cpuSeconds: (user + system) / 1e6 }));
    }
    const body = JSON.parse(String(Buffer.concat(parts))) as Parameters<typeof answerTo>[0];
    setTimeout(() => {
      if (!isAllowed()) {
        counts.refused = (counts.refused ?? 0) + 1;
        response.writeHead(429, { "retry-after": "1" });
        return response.end();
      }
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(Array.isArray(body) ? body.map(answerTo) : answerTo(body)));
    }, latencyMs);
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" ? address?.port : undefined });
});
process.on("disconnect", () => process.exit());
