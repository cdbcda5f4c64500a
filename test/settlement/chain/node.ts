import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Abi,
  decodeFunctionResult,
  type EncodeDeployDataParameters,
  encodeDeployData,
  encodeFunctionData,
  numberToHex,
} from "viem";
import { startAnvil } from "../../../src/devnet/anvil.ts";
import { type Address, type Hex, toAddress } from "../../../src/domain/address.ts";
import type { Deployer } from "../../../src/settlement/deployment.ts";

/** What a node answers instead of a result; `data` are the revert bytes, `0x` when it gave none. */
class RpcError extends Error {
  readonly data: Hex;

  constructor(message: string, data: Hex) {
    super(message);
    this.data = data;
  }
}

export interface Artifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** A contract that we compiled, from contracts/out. */
export function compiled(name: string): Artifact {
  const file = new URL(`../../../contracts/out/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Artifact;
}

export interface Call {
  readonly from?: Address;
  readonly to: Address;
  readonly data: Hex;
  readonly value?: bigint;
  /** Gas limit; 16,000,000 if not given. */
  readonly gas?: bigint;
  /** Wei per gas; 0 keeps balances of the native token free of network cost. */
  readonly gasPrice?: bigint;
}

export interface Receipt {
  readonly gasUsed: bigint;
  readonly contractAddress: Address | null;
}

export type TestNode = Awaited<ReturnType<typeof startNode>>;

/** An anvil of this test's own on a free port, with ten rich accounts and a few calls; it mines what it is sent. */
export async function startNode() {
  const anvil = await startAnvil({ port: 0 });
  const url = anvil.rpcUrl;
  let id = 0;

  async function rpc<T>(method: string, ...params: readonly unknown[]): Promise<T> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params });
    const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    const answer = (await response.json()) as { result?: T; error?: { message: string; data?: unknown } };
    if (answer.error) {
      const { message, data } = answer.error;
      throw new RpcError(message, typeof data === "string" && data.startsWith("0x") ? (data as Hex) : "0x");
    }
    return answer.result as T;
  }

  await rpc("evm_setAutomine", true);
  const accounts = (await rpc<string[]>("eth_accounts")).map(toAddress);
  const [deployerAccount] = accounts as [Address, ...Address[]];

  /** Without a fixed limit anvil would guess one from the block before, which is too low for a pool with an oracle. */
  const wire = ({ from = deployerAccount, to, data, value = 0n, gas = 16_000_000n, gasPrice }: Partial<Call>) => ({
    from,
    ...(to === undefined ? {} : { to }),
    data,
    value: numberToHex(value),
    gas: numberToHex(gas),
    ...(gasPrice === undefined ? {} : { gasPrice: numberToHex(gasPrice) }),
  });

  async function mined(transaction: object): Promise<Receipt> {
    const hash = await rpc<Hex>("eth_sendTransaction", transaction);
    for (;;) {
      const receipt = await rpc<{ status: Hex; gasUsed: Hex; contractAddress: Address | null } | null>(
        "eth_getTransactionReceipt",
        hash,
      );
      if (receipt === null) {
        await sleep(2);
        continue;
      }
      if (receipt.status !== "0x1") throw new RpcError(`reverted: ${hash}`, "0x");
      return { gasUsed: BigInt(receipt.gasUsed), contractAddress: receipt.contractAddress };
    }
  }

  const send = (call: Call): Promise<Receipt> => mined(wire(call));

  async function deploy(artifact: Artifact, ...args: readonly unknown[]): Promise<Address> {
    const data = encodeDeployData({ ...artifact, args } as EncodeDeployDataParameters);
    const { contractAddress } = await mined(wire({ data }));
    return toAddress(contractAddress!);
  }

  async function read<T>(to: Address, abi: Abi, functionName: string, ...args: readonly unknown[]): Promise<T> {
    const data = encodeFunctionData({ abi, functionName, args });
    const result = await rpc<Hex>("eth_call", { to, data }, "latest");
    return decodeFunctionResult({ abi, functionName, args, data: result }) as T;
  }

  async function write(
    from: Address,
    to: Address,
    abi: Abi,
    functionName: string,
    ...args: readonly unknown[]
  ): Promise<Receipt> {
    return send({ from, to, data: encodeFunctionData({ abi, functionName, args }) });
  }

  /** Runs a call that must revert and answers the bytes that it reverts with. */
  async function revertOf(call: Call): Promise<Hex> {
    try {
      await rpc("eth_call", wire(call), "latest");
    } catch (error) {
      if (error instanceof RpcError) return error.data;
      throw error;
    }
    throw new Error("the call does not revert");
  }

  const deployer: Deployer = {
    codeAt: (address) => rpc<Hex>("eth_getCode", address, "latest"),
    send: async (transaction) => {
      await send(transaction);
    },
  };

  return {
    accounts,
    rpc,
    send,
    deploy,
    read,
    write,
    revertOf,
    deployer,
    nativeBalance: async (owner: Address) => BigInt(await rpc<Hex>("eth_getBalance", owner, "latest")),
    stop: anvil.stop,
  };
}
