import { encodeFunctionData, erc20Abi, numberToHex } from "viem";
import { afterAll, beforeAll } from "vitest";
import { type Devnet, startDevnet } from "../../../src/devnet/devnet.ts";
import { createJsonRpc } from "../../../src/devnet/node/json-rpc.ts";
import { type Address, type Hex, NATIVE_TOKEN } from "../../../src/domain/address.ts";

/** What a test sends. */
interface TestTransaction {
  /** Absent: the data is creation code. */
  readonly to?: Address;
  readonly data?: Hex;
  /** Wei. */
  readonly value?: bigint;
  /** Gas limit; 15,000,000 if not given. No estimate is made, so that a failing transaction is mined too. */
  readonly gas?: bigint;
}

export interface TestReceipt {
  readonly transactionHash: Hex;
  readonly succeeded: boolean;
  /** What the transaction reverted with; `0x` when it succeeded. */
  readonly revertData: Hex;
  readonly gasUsed: bigint;
  /** Wei that the sender paid for gas. */
  readonly networkFee: bigint;
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  /** Address of the created contract, if one was created. */
  readonly contractAddress: Address | undefined;
  readonly logs: readonly { readonly address: Address; readonly topics: readonly Hex[]; readonly data: Hex }[];
}

/**
 * A seeded devnet, mined by hand, where anybody can be impersonated. Blocks and logs are all kept, state is kept for the
 * newest 160 blocks. A block costs 10 to 20 ms, whatever is in it.
 */
export interface TestDevnet extends Devnet {
  /** Any method of the node. @throws RpcError (src/devnet/node/json-rpc.ts) for an error of the node. */
  rpc<Result>(method: string, params?: readonly unknown[]): Promise<Result>;
  /** Mines one block: at this time (unix seconds), or two seconds after the newest. */
  mine(timestamp?: number): Promise<void>;
  /** The time that the next block will have, however it comes to be mined. */
  setNextTimestamp(timestamp: number): Promise<void>;
  /** Runs `work` and then puts the chain back to where it was before, whatever happened. Can be nested. */
  rolledBack<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Remembers the state of the chain. */
  snapshot(): Promise<Hex>;
  /** Goes back to a snapshot, which is used up by that. */
  revert(snapshot: Hex): Promise<void>;
  /** Sends from any address, mines one block with it, answers what came of it. The sender pays for the gas. */
  sendTransaction(from: Address, transaction: TestTransaction): Promise<TestReceipt>;
  /** Moves base units of a token or of NATIVE_TOKEN from the whale to an account; mines a block that the whale pays. */
  fund(token: Address, account: Address, amount: bigint): Promise<void>;
  /** Sets an allowance, by way of zero where one is left; mines one or two blocks, and the owner pays for them. */
  approve(token: Address, owner: Address, spender: Address, amount: bigint): Promise<void>;
  /** Base units that an account holds of a token or of NATIVE_TOKEN, at the newest block. */
  balanceOf(token: Address, account: Address): Promise<bigint>;
}

/** Starts one for a single test; who starts it stops it. */
export async function startTestDevnet(): Promise<TestDevnet> {
  const devnet = await startDevnet({ port: 0, traffic: false, blockTimeSeconds: undefined });
  const { call: rpc } = createJsonRpc(devnet.rpcUrl);
  await rpc("anvil_autoImpersonateAccount", [true]);

  const setNextTimestamp: TestDevnet["setNextTimestamp"] = async (timestamp) => {
    await rpc("evm_setNextBlockTimestamp", [numberToHex(timestamp)]);
  };
  const mine: TestDevnet["mine"] = async (timestamp) => {
    if (timestamp !== undefined) await setNextTimestamp(timestamp);
    await rpc("evm_mine");
  };
  const snapshot: TestDevnet["snapshot"] = () => rpc("evm_snapshot");
  const revert: TestDevnet["revert"] = async (id) => {
    if (!(await rpc<boolean>("evm_revert", [id]))) throw new Error(`no snapshot ${id}`);
  };

  const sendTransaction: TestDevnet["sendTransaction"] = async (from, { to, data, value, gas }) => {
    const { baseFeePerGas } = await rpc<{ baseFeePerGas: Hex }>("eth_getBlockByNumber", ["latest", false]);
    const hash = await rpc<Hex>("eth_sendTransaction", [
      {
        from,
        ...(to === undefined ? {} : { to }),
        data: data ?? "0x",
        value: numberToHex(value ?? 0n),
        gas: numberToHex(gas ?? 15_000_000n),
        maxFeePerGas: numberToHex(BigInt(baseFeePerGas) * 2n),
        maxPriorityFeePerGas: "0x0",
      },
    ]);
    await mine();
    const receipt = await rpc<RawReceipt | null>("eth_getTransactionReceipt", [hash]);
    if (receipt === null) throw new Error(`the transaction ${hash} was not mined`);
    const succeeded = BigInt(receipt.status) === 1n;
    const gasUsed = BigInt(receipt.gasUsed);
    return {
      transactionHash: hash,
      succeeded,
      revertData: succeeded ? "0x" : await revertDataOf(hash),
      gasUsed,
      networkFee: gasUsed * BigInt(receipt.effectiveGasPrice),
      blockNumber: BigInt(receipt.blockNumber),
      blockHash: receipt.blockHash,
      contractAddress: receipt.contractAddress ?? undefined,
      logs: receipt.logs,
    };
  };
  const revertDataOf = async (hash: Hex): Promise<Hex> => {
    const trace = await rpc<{ output?: Hex }>("debug_traceTransaction", [hash, { tracer: "callTracer" }]);
    return trace.output ?? "0x";
  };

  const mustSucceed = async (from: Address, transaction: TestTransaction) => {
    const receipt = await sendTransaction(from, transaction);
    if (!receipt.succeeded) throw new Error(`a transaction of the test's set-up reverted with ${receipt.revertData}`);
  };
  const read = async (token: Address, data: Hex): Promise<bigint> =>
    BigInt(await rpc<Hex>("eth_call", [{ to: token, data }, "latest"]));

  return {
    ...devnet,
    rpc,
    mine,
    setNextTimestamp,
    snapshot,
    revert,
    sendTransaction,
    rolledBack: async (work) => {
      const id = await snapshot();
      try {
        return await work();
      } finally {
        await revert(id);
      }
    },
    fund: (token, account, amount) =>
      token === NATIVE_TOKEN
        ? mustSucceed(devnet.whale, { to: account, value: amount })
        : mustSucceed(devnet.whale, {
            to: token,
            data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [account, amount] }),
          }),
    approve: async (token, owner, spender, amount) => {
      const set = (value: bigint) =>
        mustSucceed(owner, {
          to: token,
          data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, value] }),
        });
      if (amount > 0n && (await read(token, allowanceCall(owner, spender))) > 0n) await set(0n);
      await set(amount);
    },
    balanceOf: async (token, account) =>
      token === NATIVE_TOKEN
        ? BigInt(await rpc<Hex>("eth_getBalance", [account, "latest"]))
        : await read(token, balanceCall(account)),
  };
}

/**
 * A seeded devnet for the tests of one file (or `describe`): started before them, ended after them. Call it at the top
 * of the file; what it answers gives the devnet inside tests and hooks.
 */
export function useDevnet(): () => TestDevnet {
  let devnet: TestDevnet | undefined;
  beforeAll(async () => {
    devnet = await startTestDevnet();
  });
  afterAll(async () => {
    await devnet?.stop();
  });
  return () => {
    if (devnet === undefined)
      throw new Error("the devnet is there in tests and hooks only, not while the file is read");
    return devnet;
  };
}

function balanceCall(account: Address): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [account] });
}

function allowanceCall(owner: Address, spender: Address): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: "allowance", args: [owner, spender] });
}

interface RawReceipt {
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly effectiveGasPrice: Hex;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly contractAddress: Address | null;
  readonly logs: TestReceipt["logs"];
}
