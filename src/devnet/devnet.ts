import { type Hex, hexToNumber, numberToHex } from "viem";
import type { LocalAccount } from "viem/accounts";
import type { ChainRecord } from "../chain/chains/chain-record.ts";
import type { Address } from "../domain/address.ts";
import type { Token } from "../domain/token.ts";
import type { TokenList } from "../domain/token-list.ts";
import type { Logger } from "../ops/logger.ts";
import { devnetChain } from "./chain.ts";
import { bundled } from "./contracts/bundle.ts";
import { devnetLayout } from "./markets/devnet-layout.ts";
import { devnetAccounts } from "./node/accounts.ts";
import { DEVNET_CHAIN_ID, startAnvil } from "./node/anvil.ts";
import { createJsonRpc, type JsonRpc } from "./node/json-rpc.ts";
import { assertMined, submit } from "./node/node-transactions.ts";
import type { DevnetContracts, DevnetLayout } from "./plan/layout.ts";
import { seedBlocks } from "./seed.ts";
import { devnetTokenList } from "./token-list.ts";
import { createTrader, fundTrader } from "./traffic/trader.ts";
import { startTraffic } from "./traffic/traffic.ts";

export interface DevnetOptions {
  /** TCP port of the node on 127.0.0.1; 0 = any free one. */
  readonly port: number;
  /** Whether an account trades in every block, so that prices move. */
  readonly traffic: boolean;
  /** Seconds between blocks; undefined: a block is mined only when `evm_mine` asks for one. */
  readonly blockTimeSeconds: number | undefined;
  /**
   * A file with the state of a seeded devnet (`anvil_dumpState`): the chain goes on from there, and nothing is deployed
   * again. Some empty blocks are mined at once, since state of the loaded ones cannot be asked for by number or hash.
   */
  readonly state?: string;
  readonly logger?: Logger;
}

/** A chain of our own with the real contracts of its venues. */
export interface Devnet {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly chain: ChainRecord;
  readonly contracts: DevnetContracts;
  /** All ERC-20s, the wrapped native token first. */
  readonly tokens: readonly Token[];
  readonly tokenList: TokenList;
  /** Holds all tokens and liquidity. The node signs for it. */
  readonly whale: Address;
  /** Has native tokens and no history, for deploying our own contracts. The node signs for it too. */
  readonly deployer: LocalAccount;
  /** The node's process. */
  readonly pid: number;
  /** Settles when the node has ended, for whatever reason. */
  readonly exited: Promise<void>;
  /** Ends the trader and the node; settles when they are gone. May be called again. */
  stop(): Promise<void>;
}

/** Time of the first block, so that all that was seeded is the same at every start: 2025-06-15, 00:00 UTC. */
export const GENESIS_TIMESTAMP = 1_749_945_600;
const SECONDS_BETWEEN_BLOCKS = 2;
/** Empty blocks behind a loaded state: a service reads a chain that it starts to follow 16 blocks before its newest one. */
export const BLOCKS_AFTER_LOADING = 17;
const SEEDING_GAS_LIMIT = 1_000_000_000;
const BLOCK_GAS_LIMIT = 60_000_000;
const NATIVE_PER_ACCOUNT = 10_000_000;

/**
 * Starts the node, deploys the venues and fills their pools. Addresses, amounts, block hashes and times of the seeded
 * blocks are the same at every start. Mined by hand, every further block is two seconds later than the one before,
 * unless `evm_setNextBlockTimestamp` says otherwise; with a block time, the chain then goes by the clock.
 * @throws Error with a sentence for the operator when the port is taken or anvil is not installed.
 */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const { port, traffic, blockTimeSeconds, state, logger } = options;
  const anvil = await startAnvil({
    port,
    args: [
      ...["--timestamp", String(GENESIS_TIMESTAMP), "--gas-limit", String(SEEDING_GAS_LIMIT)],
      ...["--balance", String(NATIVE_PER_ACCOUNT), ...(state === undefined ? [] : ["--load-state", state])],
    ],
  });
  try {
    const rpc = createJsonRpc(anvil.rpcUrl);
    const { whale, deployer, trader } = devnetAccounts();
    const layout = devnetLayout(whale);
    if (state === undefined) await seed(rpc, layout, whale);
    else await goOn(rpc);
    if (traffic) await fundTrader(rpc, layout, whale, trader);
    await rpc.call("evm_setBlockGasLimit", [numberToHex(BLOCK_GAS_LIMIT)]);
    if (blockTimeSeconds !== undefined) await goByTheClock(rpc, blockTimeSeconds);
    const trading = traffic ? startTraffic(rpc, createTrader(rpc, layout, trader), logger) : undefined;
    return {
      rpcUrl: anvil.rpcUrl,
      wsUrl: anvil.wsUrl,
      chain: devnetChain(layout, (blockTimeSeconds ?? SECONDS_BETWEEN_BLOCKS) * 1_000),
      contracts: layout.contracts,
      tokens: layout.tokens.map(({ address, symbol, name, decimals }) => ({ address, symbol, name, decimals })),
      tokenList: devnetTokenList(DEVNET_CHAIN_ID, layout.tokens),
      whale,
      deployer,
      pid: anvil.pid,
      exited: anvil.exited,
      stop: async () => {
        const silence = trading?.stop();
        await anvil.stop();
        await silence;
      },
    };
  } catch (error) {
    await anvil.stop();
    throw error;
  }
}

async function seed(rpc: JsonRpc, layout: DevnetLayout, whale: Address): Promise<void> {
  // A node answers a creation that is only called with the code that it would leave behind.
  const multicall = await rpc.call<Hex>("eth_call", [{ data: bundled("Multicall3").bytecode }, "latest"]);
  await rpc.call("anvil_setCode", [layout.contracts.multicall3, multicall]);
  await rpc.call("anvil_setBlockTimestampInterval", [SECONDS_BETWEEN_BLOCKS]);
  let nonce = 0;
  for (const transactions of seedBlocks(layout, whale)) {
    const hashes = await submit(rpc, whale, nonce, transactions);
    await rpc.call("evm_mine");
    await assertMined(rpc, transactions, hashes);
    nonce += transactions.length;
  }
}

/** Lets time pass from the newest block of a loaded state on, as it does after seeding. */
async function goOn(rpc: JsonRpc): Promise<void> {
  const { timestamp } = await rpc.call<{ timestamp: Hex }>("eth_getBlockByNumber", ["latest", false]);
  await rpc.call("evm_setTime", [hexToNumber(timestamp)]);
  await rpc.call("anvil_setBlockTimestampInterval", [SECONDS_BETWEEN_BLOCKS]);
  await rpc.call("anvil_mine", [numberToHex(BLOCKS_AFTER_LOADING)]);
}

/** From the seeded past to now, then a block every so many seconds. */
async function goByTheClock(rpc: JsonRpc, blockTimeSeconds: number): Promise<void> {
  await rpc.call("anvil_removeBlockTimestampInterval");
  await rpc.call("evm_setNextBlockTimestamp", [numberToHex(Math.floor(Date.now() / 1_000))]);
  await rpc.call("evm_mine");
  await rpc.call("evm_setIntervalMining", [blockTimeSeconds]);
}
