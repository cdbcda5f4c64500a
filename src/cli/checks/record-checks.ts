import { readDataFee } from "../../chain/blocks/read-data-fee.ts";
import { codeFaults } from "../../chain/node/node-check.ts";
import { type Header, parseBytes, parseHeader, quantityParameter } from "../../chain/rpc/codec.ts";
import { DECIMALS, uintOf } from "../../chain/rpc/erc20.ts";
import { RpcError } from "../../chain/rpc/provider-errors.ts";
import { createChainReader, type NodeReader } from "../../chain/rpc/reader.ts";
import { type Address, isAddressText, NATIVE_TOKEN } from "../../domain/address.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { VenueRecord } from "../../market/venue-record.ts";
import { createSources } from "../../venues/index.ts";
import type { NodeConnection } from "../connection/node-connection.ts";
import { type Check, type Found, ok, wrong } from "./checks.ts";
import { knownPools, NO_POOLS } from "./known-pools.ts";

/** Multicall3.getChainId(). */
const GET_CHAIN_ID = "0x3408e470";
/** Blocks before a record's first one that are searched for an earlier event, where the contract is older or has no history. */
const BLOCKS_BEFORE = 5_000n;
/** Codes asked for at the same time. */
const AT_ONCE = 8;
/** Stretches of the newest blocks whose times are compared: their median leaves out one in which the chain stood still. */
const STRETCHES = 4;
/** Most blocks of a stretch: headers tell whole seconds, and many chains are faster. */
const STRETCH_BLOCKS = 16;
/** Factor by which blocks may come faster or slower than the record says. */
const BLOCK_TIME_FACTOR = 2;

/** Dependencies of the checks of a record. */
interface Reading {
  readonly node: NodeConnection;
  readonly reader: NodeReader;
  head(): Promise<Header>;
}

/**
 * Everything that a chain's record says, held against a node: there is code at every address, what should answer does, each
 * source has a pool that its factory names or the record lists, and none of its events is before its first block.
 */
export function recordChecks(node: NodeConnection): readonly Check[] {
  const { record, provider } = node;
  let newest: Promise<Header> | undefined;
  const reading: Reading = {
    ...{ node, reader: createChainReader(provider, record) },
    head: () => (newest ??= provider.request("eth_getBlockByNumber", ["latest", false]).then(parseHeader)),
  };
  const sources = createSources(record);
  const venues = new Map(record.venues.map((venue) => [venue.source, venue]));
  return [
    ["record: code at every address", () => checkCode(reading)],
    ...sources.flatMap((source): readonly Check[] =>
      source.code === undefined ? [] : [[`record: code of ${source.id}`, () => checkNamedCode(source, reading)]],
    ),
    ["record: block time", () => checkBlockTime(reading)],
    ["record: Multicall3 answers", () => checkMulticall(reading)],
    ["record: tokens answer", () => checkTokens(reading)],
    ...(record.dataFee === undefined ? [] : [["record: data fee", () => checkDataFee(reading)] as const]),
    ...sources.map((source): Check => [`record: pools of ${source.id}`, () => checkPools(source, reading)]),
    ...sources.flatMap((source): readonly Check[] => {
      const venue = venues.get(source.id);
      if (venue === undefined || source.creation === undefined) return [];
      return [[`record: first block of ${source.id}`, () => checkFirstBlock(source, venue, reading)]];
    }),
  ];
}

async function checkCode({ node }: Reading): Promise<Found> {
  const { allowedControllers = [], ...others } = node.record;
  const addresses = addressesIn(others);
  const absent = await withoutCode(node, addresses);
  if (absent.length > 0)
    return wrong(`no contract at ${absent.join(", ")}: correct the record: the address may be another chain's`);
  const gone = await withoutCode(node, allowedControllers);
  if (gone.length === 0) return ok(`${addresses.length + allowedControllers.length} addresses`);
  return { outcome: "limited", says: `allowedControllers without code, which open nothing: ${gone.join(", ")}` };
}

async function checkNamedCode(source: LiquiditySource, { reader, head }: Reading): Promise<Found> {
  const faults = await codeFaults(reader, source, await head());
  if (faults.length === 0) return ok(`${source.code?.length} contracts are as the record has them`);
  return wrong(`${faults.join("; ")}: correct the record once you know what that code does, or leave the contract out`);
}

async function withoutCode({ codeAt }: NodeConnection, addresses: readonly Address[]): Promise<readonly Address[]> {
  const absent: Address[] = [];
  for (let from = 0; from < addresses.length; from += AT_ONCE) {
    const some = addresses.slice(from, from + AT_ONCE);
    const codes = await Promise.all(some.map(codeAt));
    absent.push(...some.filter((_, index) => codes[index] === "0x"));
  }
  return absent;
}

/** Every address in a record, each once; the native token is none. */
function addressesIn(value: unknown): readonly Address[] {
  if (typeof value === "string") return isAddressText(value) && value !== NATIVE_TOKEN ? [value as Address] : [];
  if (typeof value !== "object" || value === null) return [];
  return [...new Set(Object.values(value).flatMap(addressesIn))];
}

async function checkBlockTime({ node, head }: Reading): Promise<Found> {
  const { record, provider } = node;
  const newest = await head();
  const stretch = Math.min(Math.floor(Number(newest.number) / STRETCHES), STRETCH_BLOCKS);
  if (record.blockTimeMs === 0 || stretch === 0) return ok("not compared: blocks come on demand, or there are few");
  const headers = await Promise.all(
    Array.from({ length: STRETCHES + 1 }, (_, index) => newest.number - BigInt(index * stretch)).map((number) =>
      provider.request("eth_getBlockByNumber", [quantityParameter(number), false]).then(parseHeader),
    ),
  );
  const times = headers
    .slice(1)
    .map((header, index) => Number((headers[index] ?? newest).timestamp - header.timestamp));
  const median = times.sort((a, b) => a - b)[STRETCHES / 2] ?? 0;
  const measured = Math.round((median * 1_000) / stretch);
  const says = `a block every ${measured} ms lately`;
  // A stretch of very quick blocks may lie within one second.
  const slack = 1_000 / stretch;
  const isFaster = (measured + slack) * BLOCK_TIME_FACTOR < record.blockTimeMs;
  const isSlower = measured - slack > record.blockTimeMs * BLOCK_TIME_FACTOR;
  if (!isFaster && !isSlower) return ok(says);
  return wrong(`${says}, and blockTimeMs is ${record.blockTimeMs}: correct it, it decides when prices are too old`);
}

async function checkMulticall({ node, reader, head }: Reading): Promise<Found> {
  const { multicall3, chainId } = node.record;
  const [answer] = await reader.calls([{ to: multicall3, data: GET_CHAIN_ID }], await head());
  const says = uintOf(answer);
  if (says === BigInt(chainId)) return ok(`it names chain ${chainId}`);
  return wrong(
    `the contract at ${multicall3} is not a Multicall3, getChainId answers ${says ?? "nothing"}: correct multicall3 in the record`,
  );
}

async function checkTokens({ node, reader, head }: Reading): Promise<Found> {
  const { wrappedNative, referenceTokens = [], usdToken } = node.record;
  const tokens = [...new Set([wrappedNative, ...referenceTokens, ...(usdToken === undefined ? [] : [usdToken])])];
  const answers = await reader.calls(
    tokens.map((to) => ({ to, data: DECIMALS })),
    await head(),
  );
  const odd = tokens.filter((_, index) => (uintOf(answers[index]) ?? 256n) > 36n);
  return odd.length === 0
    ? ok(`${tokens.length} tell their decimals`)
    : wrong(`no decimals at ${odd.join(", ")}: correct the record, these are not tokens`);
}

async function checkDataFee({ node, reader, head }: Reading): Promise<Found> {
  const fee = await readDataFee(reader, node.record, await head());
  return fee === undefined
    ? wrong(
        `the oracle ${node.record.dataFee?.oracle} does not answer as kind ${node.record.dataFee?.kind}: correct dataFee in the record`,
      )
    : ok(`${fee.perByte} wei a byte`);
}

async function checkPools(source: LiquiditySource, { node, reader, head }: Reading): Promise<Found> {
  const at = await head();
  const refs = await knownPools(source, { reader, record: node.record }, at);
  if (refs.length === 0) return { outcome: "limited", says: NO_POOLS };
  const pools = await source.sync(reader, refs, at);
  const [first] = pools;
  if (first === undefined) {
    return wrong(
      `none of ${refs.length} known pools can be read with the terms of the record, ${refs[0]?.id} among them: correct these`,
    );
  }
  const read = `${pools.length} of ${refs.length} known pools are read, ${first.id} among them`;
  if (source.fixed === undefined || pools.length === refs.length) return ok(read);
  const unread = refs.filter(({ id }) => pools.every((pool) => pool.id !== id)).map(({ id }) => id);
  return { outcome: "limited", says: `${read}; not as the record has them, so not quoted from: ${unread.join(", ")}` };
}

async function checkFirstBlock(source: LiquiditySource, { fromBlock }: VenueRecord, reading: Reading): Promise<Found> {
  const { node, reader } = reading;
  if (fromBlock === 0n) return ok("the search begins at block 0");
  const { addresses = [], topics = [] } = source.creation ?? {};
  if (await isNewAt(addresses, fromBlock, node)) return ok(`no contract of it stood before block ${fromBlock}`);
  const before = parseHeader(
    await node.provider.request("eth_getBlockByNumber", [quantityParameter(fromBlock - 1n), false]),
  );
  const from = before.number > BLOCKS_BEFORE ? before.number - BLOCKS_BEFORE : 0n;
  try {
    const logs = await reader.logs({ addresses, topics, fromBlock: from, to: before });
    const missed = logs.find((log) => source.created?.(log) !== undefined);
    if (missed !== undefined)
      return wrong(`a pool was announced at block ${missed.blockNumber}: correct fromBlock, which is ${fromBlock}`);
    return ok(`no event in the ${before.number - from + 1n} blocks before ${fromBlock}`);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { outcome: "limited", says: `not checked: the node has no logs of block ${fromBlock}` };
  }
}

/** Whether none of these had code before a block; false where one had, or the node has no state that old. */
async function isNewAt(addresses: readonly Address[], block: bigint, { provider }: NodeConnection): Promise<boolean> {
  try {
    const codes = await Promise.all(
      addresses.map((address) => provider.request("eth_getCode", [address, quantityParameter(block - 1n)])),
    );
    return codes.every((code) => parseBytes(code, "eth_getCode") === "0x");
  } catch (error) {
    if (error instanceof RpcError) return false;
    throw error;
  }
}
