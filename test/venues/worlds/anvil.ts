import { type Abi, decodeFunctionResult, encodeDeployData, encodeFunctionData, type Hex, numberToHex } from "viem";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { startAnvil as startNode } from "../../../src/devnet/node/anvil.ts";
import { createJsonRpc, RpcError } from "../../../src/devnet/node/json-rpc.ts";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { BlockRef } from "../../../src/domain/block.ts";
import type { ChainReader, Log } from "../../../src/market/chain-reader.ts";

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

const multicall = bundled("Multicall3");
/** More in one request than anvil takes would be refused. */
const CALLS_AT_A_TIME = 1_000;
const GAS = numberToHex(1_000_000_000);

/** Starts anvil on a free port, with room for batches of thousands of calls. */
export async function startAnvil(): Promise<Anvil> {
  const args = ["--base-fee", "0", "--gas-price", "0", "--gas-limit", "1000000000000"];
  const node = await startNode({ port: 0, args });
  const json = createJsonRpc(node.rpcUrl);
  const rpc = <T>(method: string, params: readonly unknown[] = []) => json.call(method, params) as Promise<T>;
  const [first] = await rpc<string[]>("eth_accounts");
  const account = toAddress(first as string);
  await rpc("anvil_setBalance", [account, `0x${(1n << 200n).toString(16)}`]);

  const sender = { rpc, account, gas: GAS } as const;
  const multicallAddress = await chainOver(sender).deploy(multicall.abi, multicall.bytecode);
  return anvilOver({ ...sender, multicall: multicallAddress, stop: node.stop });
}

/** A node that blocks are mined on by hand, with the account that sends everything. */
interface Sender {
  readonly rpc: Anvil["rpc"];
  readonly account: Address;
  /** Gas of each transaction and call. */
  readonly gas: Hex;
}

/** A chain of a node that runs already. */
export function anvilOver(node: Sender & Pick<Anvil, "multicall" | "stop">): Anvil {
  const { rpc, account, multicall: multicallAddress, stop } = node;
  return {
    ...chainOver(node),
    ...{ multicall: multicallAddress, reader: readerOf(rpc, account, multicallAddress), stop },
  };
}

function chainOver({ rpc, account, gas }: Sender): Omit<Anvil, "multicall" | "reader" | "stop"> {
  const send: Anvil["send"] = (to, data, value = 0n) =>
    rpc<Hex>("eth_sendTransaction", [{ from: account, to, data, value: `0x${value.toString(16)}`, gas }]);
  const mine = async () => {
    await rpc("evm_mine");
    return head(rpc);
  };
  return {
    ...{ account, rpc, send, mine },
    async deploy(abi, bytecode, args = []) {
      const hash = await send(undefined, encodeDeployData({ abi, bytecode, args }));
      await mine();
      const receipt = await rpc<{ contractAddress: string; status: Hex }>("eth_getTransactionReceipt", [hash]);
      if (receipt.status !== "0x1") throw new Error("a deployment failed");
      return toAddress(receipt.contractAddress);
    },
    async read<T>(to: Address, abi: Abi, functionName: string, args: readonly unknown[] = []) {
      const data = encodeFunctionData({ abi, functionName, args });
      const answer = await rpc<Hex>("eth_call", [{ from: account, to, data, gas }, "latest"]);
      return decodeFunctionResult({ abi, functionName, data: answer }) as T;
    },
    head: () => head(rpc),
    logsOf: async ({ hash }) => (await rpc<RpcLog[]>("eth_getLogs", [{ blockHash: hash }])).map(toLog),
  };
}

type Rpc = Anvil["rpc"];

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

/** Calls come from an account: with none, Balancer's vault takes a call for a question and leaves its state alone. */
function readerOf(rpc: Rpc, from: Address, multicallAddress: Address): ChainReader {
  const together: ChainReader["calls"] = async (calls, at) => {
    const args = [calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))];
    const data = encodeFunctionData({ abi: multicall.abi, functionName: "aggregate3", args });
    const answer = await rpc<Hex>("eth_call", [
      { from, to: multicallAddress, data, gas: GAS },
      { blockHash: at.hash, requireCanonical: true },
    ]);
    const results = decodeFunctionResult({ abi: multicall.abi, functionName: "aggregate3", data: answer });
    return (results as readonly { success: boolean; returnData: Hex }[]).map(({ success, returnData }) =>
      success && returnData !== "0x" ? returnData : undefined,
    );
  };
  return {
    async calls(calls, at) {
      const answers: (Hex | undefined)[] = [];
      for (let start = 0; start < calls.length; start += CALLS_AT_A_TIME) {
        answers.push(...(await together(calls.slice(start, start + CALLS_AT_A_TIME), at)));
      }
      return answers;
    },
    run: (data, at) =>
      rpc<Hex>("eth_call", [
        { from, data, gas: GAS },
        { blockHash: at.hash, requireCanonical: true },
      ]).catch((error) => {
        if (error instanceof RpcError) return undefined;
        throw error;
      }),
    async logs({ addresses, topics, fromBlock, to }) {
      const filter = { address: addresses, topics: [topics], fromBlock: `0x${fromBlock.toString(16)}` };
      const logs = await rpc<RpcLog[]>("eth_getLogs", [{ ...filter, toBlock: `0x${to.number.toString(16)}` }]);
      return logs.map(toLog);
    },
  };
}
