import { createWalletClient, http, keccak256 } from "viem";
import { foundry } from "viem/chains";
import { describe, expect, it } from "vitest";
import { createBlocks } from "../../../src/chain/blocks/blocks.ts";
import { provedLogs, receiptsRoot } from "../../../src/chain/blocks/receipts.ts";
import { type Clock, slicing, systemClock } from "../../../src/chain/rpc/clock.ts";
import { parseHeader } from "../../../src/chain/rpc/codec.ts";
import { createProvider, type Provider } from "../../../src/chain/rpc/provider.ts";
import { AnswerTooLargeError, MalformedAnswerError } from "../../../src/chain/rpc/provider-errors.ts";
import { devnetAccounts } from "../../../src/devnet/node/accounts.ts";
import { submit, type Transaction } from "../../../src/devnet/node/node-transactions.ts";
import type { Hex } from "../../../src/domain/address.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { useAnvil } from "../../support/worlds/anvil.ts";

/** Creation code that logs a word with one topic, 0xaa, so many times, and leaves no code. */
const logging = (times: number): Hex => `0x${"60aa60206000a1".repeat(times)}00`;
const REVERTING: Hex = "0x60006000fd";
const TOPIC: Hex = `0x${"aa".padStart(64, "0")}`;
const GAS = 500_000n;
const pause = slicing(systemClock);
const { whale, deployer } = devnetAccounts();

function providerAt(url: string): Provider {
  return createProvider({ url, timeoutMs: 10_000, logger: createLogger("silent") });
}

async function newest(provider: Provider) {
  return parseHeader(await provider.request("eth_getBlockByNumber", ["latest", false]));
}

/** Receipt of a node's answer. */
interface Answered {
  readonly logs: readonly unknown[];
}

/** A node's provider that answers `method` with something else. */
function spoiled(provider: Provider, method: string, spoil: (list: readonly Answered[]) => unknown): Provider {
  return {
    ...provider,
    async request(asked, params, limits) {
      const answer = await provider.request(asked, params, limits);
      return asked === method ? spoil(answer as readonly Answered[]) : answer;
    },
  };
}

describe("the receipts of a node's block come to its header's root", () => {
  const node = useAnvil(["--gas-limit", "1000000000"]);
  const wallet = () => {
    return createWalletClient({ account: deployer, chain: foundry, transport: http(node.anvil().rpcUrl) });
  };
  const gasPrices = { maxFeePerGas: 10_000_000_000n, maxPriorityFeePerGas: 1n };
  let nonce = 0;
  let whaleNonce = 0;

  async function mined(): Promise<{ provider: Provider; transactions: number; logs: number }> {
    await node.rpc().call("evm_mine");
    const provider = providerAt(node.anvil().rpcUrl);
    const receipts = (await provider.request("eth_getBlockReceipts", ["latest"])) as readonly unknown[];
    const logs = await provedLogs(provider, await newest(provider), pause);
    return { provider, transactions: receipts.length, logs: logs.length };
  }

  it("none at all", async () => {
    expect(await mined()).toMatchObject({ transactions: 0, logs: 0 });
  });

  it("of every type of transaction, with and without logs, successful and not", async () => {
    const sent = { gas: GAS, data: logging(3) };
    const send = wallet().sendTransaction;
    await send({ ...sent, type: "legacy", gasPrice: 10_000_000_000n, nonce: nonce++ });
    const accessList = [{ address: whale, storageKeys: [TOPIC] }];
    await send({ ...sent, type: "eip2930", accessList, gasPrice: 10_000_000_000n, nonce: nonce++ });
    await send({ ...sent, ...gasPrices, type: "eip1559", nonce: nonce++ });
    await send({ ...sent, ...gasPrices, data: REVERTING, nonce: nonce++ });
    const authorization = await deployer.signAuthorization!({ address: whale, chainId: foundry.id, nonce: nonce + 1 });
    const delegating = { type: "eip7702", authorizationList: [authorization], to: whale } as const;
    await send({ ...delegating, ...gasPrices, gas: GAS, nonce });
    nonce += 2;
    await submit(node.rpc(), whale, whaleNonce++, [{ label: "transfer", to: whale, data: "0x" }]);
    const { provider, transactions, logs } = await mined();
    expect({ transactions, logs }).toEqual({ transactions: 6, logs: 9 });
    const receipts = (await provider.request("eth_getBlockReceipts", ["latest"])) as { type: Hex; status: Hex }[];
    expect(receipts.map(({ type }) => Number(type))).toEqual([0, 1, 2, 2, 4, 2]);
    expect(receipts.map(({ status }) => Number(status))).toEqual([1, 1, 1, 0, 1, 1]);
  });

  // Positions take one byte of RLP up to 127, two up to 255 and three beyond.
  it.each([1, 2, 16, 17, 127, 128, 129, 255, 256, 300])("%i of them", async (count) => {
    const transactions = Array.from({ length: count }, (_, index): Transaction => {
      if (index % 3 > 0) return { label: "transfer", to: whale, data: "0x", gas: 100_000n };
      return { label: "logs", data: logging(index % 5), gas: 100_000n };
    });
    await submit(node.rpc(), whale, whaleNonce, transactions);
    whaleNonce += count;
    expect((await mined()).transactions).toBe(count);
  });

  it("and no others do: one changed, one missing, two in another order, a log left out", async () => {
    for (let sent = 0; sent < 3; sent++) {
      await wallet().sendTransaction({ data: logging(2), gas: GAS, ...gasPrices, nonce: nonce++ });
    }
    const { provider } = await mined();
    const header = await newest(provider);
    const cut = (receipt: Answered) => ({ ...receipt, logs: receipt.logs.slice(0, -1) });
    const spoils: ((list: readonly Answered[]) => unknown)[] = [
      ([first, ...rest]) => [{ ...first, cumulativeGasUsed: "0x1" }, ...rest],
      ([first, ...rest]) => [{ ...first, status: "0x0" }, ...rest],
      (list) => list.slice(0, -1),
      (list) => list.toReversed(),
      (list) => list.map(cut),
      () => [],
      () => null,
    ];
    for (const spoil of spoils) {
      const lying = spoiled(provider, "eth_getBlockReceipts", spoil);
      await expect(provedLogs(lying, header, pause)).rejects.toThrow(MalformedAnswerError);
    }
    const untold = { ...header, receiptsRoot: undefined };
    await expect(provedLogs(provider, untold, pause)).rejects.toThrow(MalformedAnswerError);
  });

  it("also where they are more than one answer holds: one by one", async () => {
    for (let sent = 0; sent < 3; sent++) {
      await wallet().sendTransaction({ data: logging(2), gas: GAS, ...gasPrices, nonce: nonce++ });
    }
    const { provider } = await mined();
    const header = await newest(provider);
    const crowded = spoiled(provider, "eth_getBlockReceipts", () => {
      throw new AnswerTooLargeError("answer above all bounds");
    });
    expect(await provedLogs(crowded, header, pause)).toEqual(await provedLogs(provider, header, pause));
    const lying = spoiled(crowded, "eth_getTransactionReceipt", (receipt) => ({
      ...receipt,
      cumulativeGasUsed: "0x1",
    }));
    await expect(provedLogs(lying, header, pause)).rejects.toThrow(MalformedAnswerError);
  });

  it("which shows that a log is missing where the bloom cannot", async () => {
    await wallet().sendTransaction({ data: logging(2), gas: GAS, ...gasPrices, nonce: nonce++ });
    const { provider } = await mined();
    const header = await newest(provider);
    const record = { logsBloom: undefined } as never;
    const honest = await createBlocks(provider, record, { proves: true }).logs(header, [TOPIC]);
    expect(honest).toHaveLength(2);
    const short = spoiled(provider, "eth_getLogs", (logs) => logs.slice(0, 1));
    expect(await createBlocks(short, record).logs(header, [TOPIC])).toEqual(honest.slice(0, 1));
    expect(await createBlocks(short, record, { proves: true }).logs(header, [TOPIC])).toEqual(honest);
  });
});

describe("on the OP stack", () => {
  const node = useAnvil(["--network", "optimism"], { hardfork: "isthmus" });

  it("receipts of deposits are hashed with their nonce and version", async () => {
    const deposit = { type: "0x7e", from: whale, to: whale, gas: "0x5208", mint: "0x0", isSystemTx: false };
    await node.rpc().call("eth_sendTransaction", [{ ...deposit, sourceHash: keccak256("0x01") }]);
    await node.rpc().call("eth_sendTransaction", [{ from: deployer.address, data: logging(2), gas: "0x186a0" }]);
    await node.rpc().call("evm_mine");
    const provider = providerAt(node.anvil().rpcUrl);
    const header = await newest(provider);
    const receipts = (await provider.request("eth_getBlockReceipts", [header.hash])) as { type: string }[];
    expect(receipts.map(({ type }) => Number(type))).toEqual([0x7e, 2]);
    expect(await provedLogs(provider, header, pause)).toHaveLength(2);
  });
});

it("others have their turn while many receipts are hashed", async () => {
  let time = 0;
  let turns = 0;
  const clock: Pick<Clock, "elapsed" | "breathe"> = {
    elapsed: () => time++,
    breathe: async () => {
      turns += 1;
    },
  };
  const receipt = {
    type: 2n,
    outcome: "0x01",
    cumulativeGasUsed: 1n,
    logsBloom: "0x00",
    logs: [],
    deposit: [],
  } as const;
  await receiptsRoot(new Array(100).fill(receipt), slicing(clock as Clock));
  expect(turns).toBeGreaterThan(10);
});
