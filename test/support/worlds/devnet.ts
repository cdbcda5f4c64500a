import { encodeFunctionData, erc20Abi, numberToHex } from "viem";
import { afterAll, beforeAll } from "vitest";
import type { Devnet } from "../../../src/devnet/devnet.ts";
import { createJsonRpc } from "../../../src/devnet/node/json-rpc.ts";
import { type Address, type Hex, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { type KeptDevnet, startKeptDevnet } from "./kept-state.ts";
import { type SentTransaction, sendTogether, type TestReceipt, type TestTransaction } from "./transactions.ts";

interface Holder {
  /** Or NATIVE_TOKEN. */
  readonly token: Address;
  readonly account: Address;
}

interface Holding extends Holder {
  /** Base units. */
  readonly amount: bigint;
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
  /** Sends all of these, in this order, and mines until none is left; a block takes as many as fit. */
  sendTogether(transactions: readonly SentTransaction[]): Promise<readonly TestReceipt[]>;
  /** Moves base units of a token or of NATIVE_TOKEN from the whale to an account; mines a block that the whale pays. */
  fund(token: Address, account: Address, amount: bigint): Promise<void>;
  /** Sets an allowance, by way of zero where one is left; mines one or two blocks, and the owner pays for them. */
  approve(token: Address, owner: Address, spender: Address, amount: bigint): Promise<void>;
  /** Sets first allowances, of ERC-20s, in one block; each owner pays for its own. */
  approveAll(holdings: readonly Holding[], spender: Address): Promise<void>;
  /** Funds all of these in one block. */
  fundAll(holdings: readonly Holding[]): Promise<void>;
  /** Base units that an account holds of a token or of NATIVE_TOKEN, at the newest block. */
  balanceOf(token: Address, account: Address): Promise<bigint>;
  /** Many balances in one request. */
  balancesOf(holders: readonly Holder[]): Promise<readonly bigint[]>;
}

/** Starts one for a single test; who starts it stops it. All of a run go on from a state that is made once. */
export async function startTestDevnet(kept: KeptDevnet = "seeded"): Promise<TestDevnet> {
  const devnet = await startKeptDevnet(kept);
  const json = createJsonRpc(devnet.rpcUrl);
  const { call: rpc } = json;
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

  const sendTransaction: TestDevnet["sendTransaction"] = async (from, transaction) => {
    const [receipt] = await sendTogether(json, [{ from, ...transaction }]);
    return receipt!;
  };
  const mustSucceed = async (transactions: readonly SentTransaction[]) => {
    for (const { succeeded, revertData } of await sendTogether(json, transactions)) {
      if (!succeeded) throw new Error(`a transaction of the test's set-up reverted with ${revertData}`);
    }
  };
  const fundAll: TestDevnet["fundAll"] = (holdings) =>
    mustSucceed(
      holdings.map(({ token, account, amount }) => ({ from: devnet.whale, ...transfer(token, account, amount) })),
    );
  const balancesOf: TestDevnet["balancesOf"] = async (holders) => {
    const balances = await json.batch<Hex>(
      holders.map(({ token, account }) =>
        token === NATIVE_TOKEN
          ? { method: "eth_getBalance", params: [account, "latest"] }
          : { method: "eth_call", params: [{ to: token, data: balanceCall(account) }, "latest"] },
      ),
    );
    return balances.map(BigInt);
  };

  return {
    ...devnet,
    rpc,
    mine,
    setNextTimestamp,
    snapshot,
    revert,
    sendTransaction,
    sendTogether: (transactions) => sendTogether(json, transactions),
    rolledBack: async (work) => {
      const id = await snapshot();
      try {
        return await work();
      } finally {
        await revert(id);
      }
    },
    fundAll,
    fund: (token, account, amount) => fundAll([{ token, account, amount }]),
    approve: async (token, owner, spender, amount) => {
      const allowed = await rpc<Hex>("eth_call", [{ to: token, data: allowanceCall(owner, spender) }, "latest"]);
      const amounts = amount > 0n && BigInt(allowed) > 0n ? [0n, amount] : [amount];
      for (const each of amounts) await mustSucceed([{ from: owner, ...approval(token, spender, each) }]);
    },
    approveAll: (holdings, spender) =>
      mustSucceed(
        holdings.map(({ token, account, amount }) => ({ from: account, ...approval(token, spender, amount) })),
      ),
    balancesOf,
    balanceOf: async (token, account) => (await balancesOf([{ token, account }]))[0]!,
  };
}

/**
 * A seeded devnet for the tests of one file (or `describe`): started before them, ended after them. Call it at the top
 * of the file; what it answers gives the devnet inside tests and hooks.
 */
export function useDevnet(kept?: KeptDevnet): () => TestDevnet {
  let devnet: TestDevnet | undefined;
  beforeAll(async () => {
    devnet = await startTestDevnet(kept);
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

function transfer(token: Address, account: Address, amount: bigint): TestTransaction {
  if (token === NATIVE_TOKEN) return { to: account, value: amount };
  return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [account, amount] }) };
}

function approval(token: Address, spender: Address, amount: bigint): TestTransaction {
  return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] }) };
}

function balanceCall(account: Address): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [account] });
}

function allowanceCall(owner: Address, spender: Address): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: "allowance", args: [owner, spender] });
}
