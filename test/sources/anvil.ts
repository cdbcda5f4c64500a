import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { type Abi, decodeFunctionResult, encodeDeployData, encodeFunctionData, type Hex } from "viem";
import { bundled } from "../../src/devnet/bundle.ts";
import { type Address, toAddress } from "../../src/domain/address.ts";
import type { BlockRef } from "../../src/domain/block.ts";
import type { ChainReader, Log } from "../../src/market/chain-reader.ts";

/** A private chain for one test file: blocks are mined on request, gas is free and unlimited. */
export interface Anvil {
  /** The account that sends everything. */
  readonly account: Address;
  rpc<T>(method: string, params?: readonly unknown[]): Promise<T>;
  /** Queues a transaction for the next block. */
  send(to: Address | undefined, data: Hex, value?: bigint): Promise<Hex>;
  /** Mines what is queued and answers the new head. */
  mine(): Promise<BlockRef>;
  /** Deploys and mines. */
  deploy(abi: Abi, bytecode: Hex, args?: readonly unknown[]): Promise<Address>;
  /** Reads a function's result at the head. */
  read<T>(to: Address, abi: Abi, functionName: string, args?: readonly unknown[]): Promise<T>;
  /** The newest block. */
  head(): Promise<BlockRef>;
  /** Its calls are made by `multicall`, one after another, and may change state that later calls of the batch see. */
  readonly reader: ChainReader;
  readonly multicall: Address;
  /** All logs of one block. */
  logsOf(block: BlockRef): Promise<readonly Log[]>;
  stop(): Promise<void>;
}

interface RpcLog {
  readonly address: string;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockHash: Hex;
  readonly blockNumber: Hex;
  readonly logIndex: Hex;
}

const binary = fileURLToPath(new URL("../../node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil", import.meta.url));
const PORTS = { first: 20300, last: 20399 };
const multicall = bundled("Multicall3");
const GAS = `0x${(1_000_000_000).toString(16)}`;

/** Starts anvil on a free port of this area's range. */
export async function startAnvil(): Promise<Anvil> {
  const { child, url } = await spawnAnvil();
  const rpc = async <T>(method: string, params: readonly unknown[] = []): Promise<T> => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result?: T; error?: { message: string } };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result as T;
  };
  await ready(rpc);
  const [first] = await rpc<string[]>("eth_accounts");
  const account = toAddress(first as string);
  await rpc("anvil_setBalance", [account, `0x${(1n << 200n).toString(16)}`]);

  const send = (to: Address | undefined, data: Hex, value = 0n) =>
    rpc<Hex>("eth_sendTransaction", [{ from: account, to, data, value: `0x${value.toString(16)}`, gas: GAS }]);
  const mine = async () => {
    await rpc("evm_mine");
    return head(rpc);
  };
  const deploy = async (abi: Abi, bytecode: Hex, args: readonly unknown[] = []) => {
    const hash = await send(undefined, encodeDeployData({ abi, bytecode, args }));
    await mine();
    const receipt = await rpc<{ contractAddress: string; status: Hex }>("eth_getTransactionReceipt", [hash]);
    if (receipt.status !== "0x1") throw new Error("a deployment failed");
    return toAddress(receipt.contractAddress);
  };
  const multicallAddress = await deploy(multicall.abi, multicall.bytecode);

  return {
    account,
    rpc,
    send,
    mine,
    deploy,
    async read<T>(to: Address, abi: Abi, functionName: string, args: readonly unknown[] = []) {
      const data = encodeFunctionData({ abi, functionName, args });
      const answer = await rpc<Hex>("eth_call", [{ from: account, to, data, gas: GAS }, "latest"]);
      return decodeFunctionResult({ abi, functionName, data: answer }) as T;
    },
    head: () => head(rpc),
    multicall: multicallAddress,
    reader: readerOf(rpc, multicallAddress),
    logsOf: async ({ hash }) => (await rpc<RpcLog[]>("eth_getLogs", [{ blockHash: hash }])).map(toLog),
    stop: () => stop(child),
  };
}

type Rpc = Anvil["rpc"];

async function spawnAnvil(): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const port = await freePort();
  const args = ["--port", String(port), "--host", "127.0.0.1", "--no-mining", "--silent", "--base-fee", "0"];
  const limits = ["--gas-price", "0", "--gas-limit", "1000000000000", "--order", "fifo"];
  return { child: spawn(binary, [...args, ...limits], { stdio: "ignore" }), url: `http://127.0.0.1:${port}` };
}

async function freePort(): Promise<number> {
  const start = PORTS.first + (process.pid % (PORTS.last - PORTS.first + 1));
  for (let tries = 0; tries <= PORTS.last - PORTS.first; tries++) {
    const port = start + tries > PORTS.last ? start + tries - PORTS.last + PORTS.first - 1 : start + tries;
    const free = await new Promise<boolean>((resolve) => {
      const server = createServer();
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    });
    if (free) return port;
  }
  throw new Error("no free port for anvil");
}

async function ready(rpc: Rpc): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      await rpc("eth_chainId");
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error("anvil does not answer");
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill();
  });
}

async function head(rpc: Rpc): Promise<BlockRef> {
  const block = await rpc<{ number: Hex; hash: Hex; parentHash: Hex; timestamp: Hex }>("eth_getBlockByNumber", [
    "latest",
    false,
  ]);
  const { hash, parentHash } = block;
  return { number: BigInt(block.number), hash, parentHash, timestamp: BigInt(block.timestamp) };
}

function toLog({ address, topics, data, blockHash, blockNumber, logIndex }: RpcLog): Log {
  return {
    address: toAddress(address),
    topics,
    data,
    blockHash,
    blockNumber: BigInt(blockNumber),
    logIndex: Number(logIndex),
  };
}

function readerOf(rpc: Rpc, multicallAddress: Address): ChainReader {
  return {
    async calls(calls, at) {
      const args = [calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))];
      const data = encodeFunctionData({ abi: multicall.abi, functionName: "aggregate3", args });
      const answer = await rpc<Hex>("eth_call", [
        { to: multicallAddress, data, gas: GAS },
        { blockHash: at.hash, requireCanonical: true },
      ]);
      const results = decodeFunctionResult({ abi: multicall.abi, functionName: "aggregate3", data: answer });
      return (results as readonly { success: boolean; returnData: Hex }[]).map(({ success, returnData }) =>
        success && returnData !== "0x" ? returnData : undefined,
      );
    },
    async logs({ addresses, topics, fromBlock, to }) {
      const filter = { address: addresses, topics: [topics], fromBlock: `0x${fromBlock.toString(16)}` };
      const logs = await rpc<RpcLog[]>("eth_getLogs", [{ ...filter, toBlock: `0x${to.number.toString(16)}` }]);
      return logs.map(toLog);
    },
  };
}
