import { provedLogs } from "../../chain/blocks/receipts.ts";
import { checkChainId } from "../../chain/node/node-check.ts";
import { slicing, systemClock } from "../../chain/rpc/clock.ts";
import { blockParameter, type Header, parseArray, parseHeader } from "../../chain/rpc/codec.ts";
import { RpcError, reasonOf } from "../../chain/rpc/provider-errors.ts";
import { createSimulateCalls } from "../../chain/simulation/simulated-calls.ts";
import { ZERO_ADDRESS } from "../../domain/address.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { NodeConnection } from "../connection/node-connection.ts";
import { type Check, type Found, ok, wrong } from "./checks.ts";
import { nodeMeasures } from "./node-measures.ts";

/** A clock that is off by more makes fresh blocks look stale. */
const CLOCK_SECONDS = 5;
/** Blocks that the head may be behind the clock, and the least seconds that count (decisions, promise 4). */
const LATE_BLOCKS = 10;
const LATE_SECONDS = 60;

/** The check of whether a node serves the chain at all. */
export const CHAIN_ID = "chain id";

/** Checks of the abilities that a service needs of one node. */
export function nodeChecks(connection: NodeConnection): readonly Check[] {
  const { provider, record, wsUrl } = connection;
  const head = async () => parseHeader(await provider.request("eth_getBlockByNumber", ["latest", false]));
  let newest: Header | undefined;
  /** A check at the newest block that was seen. */
  const atHead = (check: (connection: NodeConnection, at: Header) => Promise<Found>) => async () =>
    check(connection, newest ?? (await head()));
  return [
    [
      CHAIN_ID,
      async () => {
        await checkChainId(provider, record);
        return ok(String(record.chainId));
      },
    ],
    [
      "head",
      async () => {
        newest = await head();
        return checkAge(connection, newest);
      },
    ],
    ["state at a block hash", atHead(checkState)],
    ["logs at a block hash", atHead(checkLogs)],
    ["receipts", atHead(checkReceipts)],
    ["simulation", atHead(checkSimulation)],
    ...nodeMeasures(connection, async () => newest ?? (await head())),
    ...(wsUrl === undefined ? [] : [["WebSocket", () => checkWebSocket(wsUrl)] as const]),
  ];
}

function checkAge({ record }: NodeConnection, { number, timestamp }: Header): Found {
  const behind = Math.floor(Date.now() / 1000) - Number(timestamp);
  const late = Math.max((LATE_BLOCKS * record.blockTimeMs) / 1000, LATE_SECONDS);
  if (behind < -CLOCK_SECONDS) return wrong(`block ${number} is ${-behind} s ahead of this machine's clock`);
  if (record.blockTimeMs > 0 && behind > late) {
    return wrong(`block ${number} is ${behind} s old: the node is behind, or this machine's clock is`);
  }
  return ok(`block ${number}, ${Math.max(behind, 0)} s old`);
}

/** As the service asks for it (EIP-1898). */
async function checkState({ provider, record }: NodeConnection, at: Header): Promise<Found> {
  try {
    await provider.request("eth_getCode", [record.wrappedNative, blockParameter(at)]);
    return ok("answered");
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return wrong(`none (${reasonOf(error)}): the service reads state by block hash (EIP-1898); use another node`);
  }
}

async function checkLogs({ provider }: NodeConnection, at: Header): Promise<Found> {
  const logs = parseArray(await provider.request("eth_getLogs", [{ blockHash: at.hash }]), "eth_getLogs");
  return ok(`${logs.length} in block ${at.number}`);
}

async function checkReceipts({ provider, config }: NodeConnection, at: Header): Promise<Found> {
  try {
    await provedLogs(provider, at, slicing(systemClock));
    return ok(`those of block ${at.number} prove its logs`);
  } catch (error) {
    const why = `those of block ${at.number} do not prove its logs (${messageOf(error)})`;
    const says = `${why}: PROVE_LOGS=1 cannot work with this node`;
    return config.PROVE_LOGS ? wrong(says) : { outcome: "limited", says };
  }
}

async function checkSimulation({ provider, record }: NodeConnection, at: Header): Promise<Found> {
  const call = { from: ZERO_ADDRESS, to: record.wrappedNative, data: "0x" } as const;
  try {
    await createSimulateCalls(provider)({ at, calls: [call] });
    return ok("eth_simulateV1");
  } catch (error) {
    const says = `no eth_simulateV1 (${messageOf(error)}): neither quotes nor tokens are tried on this node; use one that has it`;
    return { outcome: "limited", says };
  }
}

const WEBSOCKET_MS = 5_000;

function checkWebSocket(url: string): Promise<Found> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url);
    const end = (finding: Found) => {
      clearTimeout(timer);
      socket.close();
      resolve(finding);
    };
    const limited = { outcome: "limited", says: "does not open: new heads are found by polling only" } as const;
    const timer = setTimeout(() => end(limited), WEBSOCKET_MS);
    socket.addEventListener("open", () => end(ok("opens")));
    socket.addEventListener("error", () => end(limited));
  });
}
