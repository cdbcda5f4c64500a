/** A node of a synthetic chain behind a provider with limits, as a process of its own: first-day.ts starts it. */
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { toEventSelector, toFunctionSelector } from "viem";
import { AGGREGATE3 } from "../../src/chain/rpc/multicall.ts";
import type { Hex } from "../../src/domain/address.ts";
import { POOLS_SLOT, slotsOf } from "../../src/venues/uniswap-v4/slots.ts";
import { BigChain, CONTRACTS, HEAD, type Kind, sizesOf, V4_KEY } from "./big-chain.ts";

const { values } = parseArgs({
  options: {
    scale: { type: "string", default: "1" },
    rate: { type: "string", default: "100" },
    "latency-ms": { type: "string", default: "50" },
    "block-ms": { type: "string", default: "12000" },
    touched: { type: "string", default: "500" },
  },
});
const [scale, rate, latencyMs, blockMs, touched] = (
  ["scale", "rate", "latency-ms", "block-ms", "touched"] as const
).map((name) => Number(values[name])) as [number, number, number, number, number];
const MOST_BLOCKS = 10_000;
const chain = new BigChain({ ...sizesOf(scale), blockMs, touched });
const began = Date.now();
const topic = (event: string) => toEventSelector(event);
const PAIR_CREATED = topic("PairCreated(address,address,address,uint256)");
const POOL_CREATED = topic("PoolCreated(address,address,uint24,int24,address)");
const INITIALIZE = topic("Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)");
const SYNC = topic("Sync(uint112,uint112)");
const selector = (signature: string) => toFunctionSelector(signature).slice(2);
const SELECTORS = {
  getPair: selector("getPair(address,address)"),
  getReserves: selector("getReserves()"),
  getPool: selector("getPool(address,address,uint24)"),
  slot0: selector("slot0()"),
  liquidity: selector("liquidity()"),
  tickSpacing: selector("tickSpacing()"),
  fee: selector("fee()"),
  tickBitmap: selector("tickBitmap(int16)"),
  ticks: selector("ticks(int24)"),
  extsload: selector("extsload(bytes32[])"),
} as const;
const V3_FEE = 3_000;
const V3_SPACING = 60;
/** Ticks of the one position that a pool has, in spacings from the price of 1. */
const REACH = 10;
const PRICE = 2n ** 96n;

const word = (value: bigint | number) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");
const addressWord = (address: string) => address.slice(2).padStart(64, "0");
const hashOf = (block: number): Hex => `0xb10c${block.toString(16).padStart(60, "0")}`;
const blockOfHash = (hash: string) => Number.parseInt(hash.slice(6), 16);
const head = () => HEAD + Math.floor((Date.now() - began) / blockMs);
const liquidityOf = (kind: Kind, index: number) => (chain.isDeep(kind, index) ? 10n ** 23n : 10n ** 15n);

/** Storage of the manager of V4: what is not there is zero. Its slots are hashes, which nobody can go back from. */
const slots = new Map<string, bigint>();
for (let index = 0; index < chain.sizes.v4; index++) {
  const of = slotsOf(chain.idOf(index), POOLS_SLOT);
  slots.set(of.slot0.slice(2), PRICE | (BigInt(V4_KEY.fee) << 208n));
  if (!chain.isDeep("v4", index)) continue;
  const liquidity = liquidityOf("v4", index);
  slots.set(of.liquidity.slice(2), liquidity);
  slots.set(of.bitmap(0).slice(2), 1n << BigInt(REACH));
  slots.set(of.bitmap(-1).slice(2), 1n << BigInt(256 - REACH));
  const [below, above] = [-REACH * V4_KEY.tickSpacing, REACH * V4_KEY.tickSpacing];
  slots.set(of.tick(below).slice(2), liquidity | (BigInt.asUintN(128, liquidity) << 128n));
  slots.set(of.tick(above).slice(2), liquidity | (BigInt.asUintN(128, -liquidity) << 128n));
}

/** What a contract answers; undefined: it reverts. */
function answered(to: string, data: string, block: number): string | undefined {
  const args = (place: number) => data.slice(8 + 64 * place, 72 + 64 * place);
  const token = (place: number) => `0x${args(place).slice(24)}`;
  const pool = (kind: Kind) => {
    const index = chain.between(kind, token(0), token(1));
    const isThere = index !== undefined && chain.blockOf(kind, index) <= block;
    return isThere ? addressWord(chain.poolAddress(kind, index)) : word(0);
  };
  switch (data.slice(0, 8)) {
    case SELECTORS.getPair:
      return pool("v2");
    case SELECTORS.getPool:
      return Number.parseInt(args(2), 16) === V3_FEE ? pool("v3") : word(0);
    case SELECTORS.extsload: {
      const count = Number.parseInt(args(1), 16);
      return `${word(32)}${word(count)}${Array.from({ length: count }, (_, place) => word(slots.get(args(2 + place)) ?? 0n)).join("")}`;
    }
    case SELECTORS.getReserves: {
      const index = chain.indexOf("v2", to);
      return index === undefined ? undefined : `${chain.reservesAt(index, block).map(word).join("")}${word(0)}`;
    }
  }
  const index = chain.indexOf("v3", to);
  return index === undefined ? undefined : ofV3(index, data.slice(0, 8), args(0));
}

function ofV3(index: number, asked: string, argument: string): string | undefined {
  const liquidity = liquidityOf("v3", index);
  switch (asked) {
    case SELECTORS.slot0:
      return [PRICE, 0, 0, 1, 1, 0, 1].map(word).join("");
    case SELECTORS.liquidity:
      return word(liquidity);
    case SELECTORS.tickSpacing:
      return word(V3_SPACING);
    case SELECTORS.fee:
      return word(V3_FEE);
    case SELECTORS.tickBitmap: {
      const place = Number(BigInt.asIntN(16, BigInt(`0x${argument}`)));
      return word(place === 0 ? 1n << BigInt(REACH) : place === -1 ? 1n << BigInt(256 - REACH) : 0n);
    }
    case SELECTORS.ticks: {
      const isBelow = BigInt.asIntN(24, BigInt(`0x${argument}`)) < 0n;
      return [liquidity, isBelow ? liquidity : -liquidity, 0, 0, 0, 0, 0, 1].map(word).join("");
    }
  }
  return undefined;
}

function call(to: string, data: string, block: number): Hex | undefined {
  if (to !== CONTRACTS.multicall3) {
    const answer = answered(to, data, block);
    return answer === undefined ? undefined : `0x${answer}`;
  }
  if (data.slice(0, 8) !== AGGREGATE3) return undefined;
  const hex = data.slice(8);
  const number = (at: number) => Number.parseInt(hex.slice(at, at + 64), 16);
  const count = number(64);
  const bodies: string[] = [];
  const offsets: string[] = [];
  let offset = 32 * count;
  for (let place = 0; place < count; place++) {
    const item = 128 + 2 * number(128 + 64 * place);
    const length = number(item + 192);
    const target = `0x${hex.slice(item + 24, item + 64)}`;
    const answer = answered(target, hex.slice(item + 256, item + 256 + 2 * length), block);
    const bytes = answer ?? "";
    offsets.push(word(offset));
    bodies.push(`${word(answer === undefined ? 0 : 1)}${word(64)}${word(bytes.length / 2)}${bytes}`);
    offset += 96 + bytes.length / 2;
  }
  return `0x${word(32)}${word(count)}${offsets.join("")}${bodies.join("")}`;
}

type Filter = { readonly address?: unknown; readonly topics?: readonly [readonly string[]] } & Partial<
  Record<"fromBlock" | "toBlock" | "blockHash", string>
>;

function* announcements(kind: Kind, from: number, to: number): Generator<ReturnType<typeof log>> {
  const [first, end] = chain.announced(kind, from, to);
  for (let index = first; index < end; index++) {
    const [a, b] = chain.tokensOf(kind, index).map((token) => `0x${addressWord(token)}`) as [string, string];
    const pool = addressWord(chain.poolAddress(kind, index));
    const of: Readonly<Record<Kind, () => readonly [readonly string[], string]>> = {
      v2: () => [[PAIR_CREATED, a, b], `${pool}${word(index)}`],
      v3: () => [[POOL_CREATED, a, b, `0x${word(V3_FEE)}`], `${word(V3_SPACING)}${pool}`],
      v4: () => [
        [INITIALIZE, chain.idOf(index), a, b],
        [V4_KEY.fee, V4_KEY.tickSpacing, 0, PRICE, 0].map(word).join(""),
      ],
    };
    const [topics, data] = of[kind]();
    yield log(CONTRACTS[kind], topics, data, chain.blockOf(kind, index), index + Number(kind.slice(1)) * 1_000_000);
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
  const wanted = topics?.[0] ?? [PAIR_CREATED, POOL_CREATED, INITIALIZE, SYNC];
  if (blockHash !== undefined) {
    const block = blockOfHash(blockHash);
    if (!wanted.includes(SYNC) || block <= HEAD) return [];
    return chain.touchedIn(block).map((index, place) => {
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
  if (to - from >= MOST_BLOCKS)
    return { error: { code: -32005, message: `query exceeds max block range ${MOST_BLOCKS}` } };
  const kinds = { v2: PAIR_CREATED, v3: POOL_CREATED, v4: INITIALIZE } as const;
  const logs = (["v2", "v3", "v4"] as const).flatMap((kind) =>
    wanted.includes(kinds[kind]) ? [...announcements(kind, from, to)] : [],
  );
  // A factory's own logs are in the order of their blocks, and its index is far below that of the next one.
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
        call(to, data.slice(2), hash === undefined ? head() : blockOfHash(hash)) ?? {
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
    if (request.url === "/counts") return response.end(JSON.stringify({ counts, head: head() }));
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
