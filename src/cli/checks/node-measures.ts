import { blockParameter, type Header, parseArray, parseHeader, quantityParameter } from "../../chain/rpc/codec.ts";
import { isLimit, isPruned, isTooMuch, RpcError, reasonOf } from "../../chain/rpc/provider-errors.ts";
import { statedRange } from "../../chain/rpc/provider-messages.ts";
import { announcementsOf, firstBlock } from "../../chain/search/discovery.ts";
import { createSources } from "../../venues/index.ts";
import type { NodeConnection } from "../connection/node-connection.ts";
import { type Check, type Found, ok } from "./checks.ts";

/** One try, and not long: all measures together take less than half a minute. */
const ONCE = { attempts: 1, timeoutMs: 4_000 } as const;
/** Ranges of blocks that logs are asked for, the widest first: what providers' plans give. */
const RANGES = [10_000n, 2_000n, 1_000n, 500n, 100n, 10n, 1n] as const;
/** A first search of more requests takes hours on most plans. */
const MANY_REQUESTS = 20_000n;
const RATE_MS = 2_000;
const MAX_RATE = 300;
const RATE_PARALLEL = 16;
/** Looks at the head, to see whether it goes back. */
const HEAD_LOOKS = 8;
/** Blocks that a node without an archive has the state of, and that the service reads at most below the head. */
const STATE_DEPTH = 16n;
const PRUNED_DEPTH = 127n;
/** Requests a second while idle: two a block and three of reading, the audit on top (docs/chains.md). */
const MIN_PER_SECOND = 5;

/** Checks that measure a node's methods, limits, rate and lag. */
export function nodeMeasures(connection: NodeConnection, head: () => Promise<Header>): readonly Check[] {
  const at = (measure: (connection: NodeConnection, newest: Header) => Promise<Found>) => async () =>
    measure(connection, await head());
  return [
    [`state ${STATE_DEPTH} blocks back`, at(neededState)],
    ["older state", at(olderState)],
    ["state overrides", at(overrides)],
    ["log ranges", at(logRanges)],
    ["old logs", at(oldLogs)],
    ["head, asked again", () => headAgain(connection)],
    ["rate", () => rate(connection)],
  ];
}

/** Whether a node has the state of a block so far below the head, and of which one. */
async function stateBack({ provider, record }: NodeConnection, newest: Header, depth: bigint) {
  const number = newest.number > depth ? newest.number - depth : 0n;
  const block = parseHeader(await provider.request("eth_getBlockByNumber", [quantityParameter(number), false], ONCE));
  try {
    await provider.request("eth_getCode", [record.wrappedNative, blockParameter(block)], ONCE);
    return { block };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { block, refused: error };
  }
}

async function neededState(node: NodeConnection, newest: Header): Promise<Found> {
  const { block, refused } = await stateBack(node, newest, STATE_DEPTH);
  if (refused === undefined) return ok(`of block ${block.number}`);
  const says = `none of block ${block.number} (${reasonOf(refused)}): the service starts there; use another node`;
  return { outcome: "wrong", says };
}

async function olderState(node: NodeConnection, newest: Header): Promise<Found> {
  const { block, refused } = await stateBack(node, newest, PRUNED_DEPTH);
  if (refused === undefined)
    return ok(`block ${block.number}, ${newest.number - block.number} back; none older is needed`);
  return { outcome: "limited", says: `none of block ${block.number}: after longer gaps all pools are read anew` };
}

async function overrides({ provider, record }: NodeConnection, newest: Header): Promise<Found> {
  const call = { to: record.wrappedNative, data: "0x" };
  const state = { [record.wrappedNative]: { code: "0x602a60005260206000f3" } };
  try {
    const answer = await provider.request("eth_call", [call, blockParameter(newest), state], ONCE);
    if (BigInt(String(answer)) === 42n) return ok("taken");
  } catch (error) {
    if (!(error instanceof RpcError || error instanceof SyntaxError)) throw error;
  }
  const says = "eth_call takes none: some quotes cannot be simulated for takers without balance; use a node that does";
  return { outcome: "limited", says };
}

async function logRanges(node: NodeConnection, newest: Header): Promise<Found> {
  const { provider, record } = node;
  const sources = createSources(record);
  const first = firstBlock(sources, record);
  const searched = newest.number > first ? newest.number - first : 0n;
  const { addresses, topics } = announcementsOf(sources);
  for (const blocks of RANGES) {
    const from = newest.number >= blocks ? newest.number - blocks + 1n : 0n;
    const range = { fromBlock: quantityParameter(from), toBlock: quantityParameter(newest.number) };
    try {
      await provider.request("eth_getLogs", [{ address: addresses, topics: [topics], ...range }], ONCE);
      return searchWith(blocks, searched);
    } catch (error) {
      if (!(error instanceof RpcError) || isLimit(error)) throw error;
      const told = isTooMuch(error) ? statedRange(error.message) : undefined;
      if (told !== undefined && told < blocks) return searchWith(told, searched);
    }
  }
  return { outcome: "wrong", says: "not even one block's: use another node" };
}

/** Rates ranges of so many blocks by the number of requests of a first search. */
function searchWith(blocks: bigint, searched: bigint): Found {
  const requests = searched / blocks + 1n;
  const says = `${blocks} blocks${blocks === RANGES[0] ? " or more" : ""}: a first search takes at most ${requests} requests`;
  if (requests <= MANY_REQUESTS) return ok(says);
  return { outcome: "limited", says: `${says}; set HISTORY_URL to a node with wider ranges for it` };
}

async function oldLogs({ provider, record }: NodeConnection, newest: Header): Promise<Found> {
  const sources = createSources(record);
  const first = firstBlock(sources, record);
  if (first > newest.number) return ok(`the record's first block, ${first}, is still to come`);
  const block = quantityParameter(first);
  try {
    const { addresses, topics } = announcementsOf(sources);
    const filter = { address: addresses, topics: [topics], fromBlock: block, toBlock: block };
    parseArray(await provider.request("eth_getLogs", [filter], ONCE), "eth_getLogs");
    return ok(`from block ${first} on`);
  } catch (error) {
    if (!isPruned(error)) throw error;
    const says = `those of block ${first} are pruned: older pools are not found; set HISTORY_URL to a node with all logs`;
    return { outcome: "limited", says };
  }
}

async function headAgain({ provider }: NodeConnection): Promise<Found> {
  let highest = 0n;
  let back = 0n;
  for (let look = 0; look < HEAD_LOOKS; look++) {
    const { number } = parseHeader(await provider.request("eth_getBlockByNumber", ["latest", false], ONCE));
    if (highest - number > back) back = highest - number;
    if (number > highest) highest = number;
  }
  if (back === 0n) return ok("never goes back");
  const says = `goes back by ${back} blocks: nodes behind one address are not at one height; the service waits for them`;
  return { outcome: "limited", says };
}

async function rate({ provider }: NodeConnection): Promise<Found> {
  const start = performance.now();
  const times: number[] = [];
  let refused = 0;
  let sent = 0;
  const lane = async () => {
    while (sent < MAX_RATE && refused === 0 && performance.now() - start < RATE_MS) {
      sent += 1;
      const began = performance.now();
      try {
        await provider.request("eth_chainId", [], ONCE);
        times.push(performance.now() - began);
      } catch (error) {
        if (!isLimit(error)) throw error;
        refused += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: RATE_PARALLEL }, lane));
  const seconds = (performance.now() - start) / 1_000;
  const answerMs = Math.round(times.sort((a, b) => a - b)[times.length >> 1] ?? 0);
  if (refused === 0)
    return ok(`${times.length} requests in ${seconds.toFixed(1)} s, ${answerMs} ms each, none refused`);
  const perSecond = Math.floor(times.length / Math.max(seconds, 1));
  const enough = perSecond >= MIN_PER_SECOND ? "the service keeps to it by itself" : "too few to follow the chain";
  return { outcome: "limited", says: `refused after ${times.length} in ${seconds.toFixed(1)} s: ${enough}` };
}
