import { encodeAbiParameters, type Hex, numberToHex } from "viem";
import type { ChainRecord } from "../../src/chain/chains/chain-record.ts";
import { bundled } from "../../src/devnet/contracts/bundle.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { type Anvil, startAnvil } from "../../src/devnet/node/anvil.ts";
import { createJsonRpc } from "../../src/devnet/node/json-rpc.ts";
import { assertMined, callWith, submit, type Transaction } from "../../src/devnet/node/node-transactions.ts";
import { type Address, toAddress } from "../../src/domain/address.ts";
import type { AnyRecord } from "../../src/venues/index.ts";

/** A node of the devnet's kind with so many pairs of Uniswap V2's own contracts. */
export interface ManyPairs {
  readonly anvil: Anvil;
  readonly record: ChainRecord;
  /** Mines blocks in each of which so many pairs log their reserves. */
  mine(blocks: number, syncs: number): Promise<void>;
}

const PAIRS_PER_BLOCK = 300;
const BLOCK_GAS_LIMIT = 1_500_000_000n;
const WRAPPED = toAddress(`0x${"11".repeat(20)}`);
const MULTICALL = toAddress(`0x${"22".repeat(20)}`);
/** Answers 10^24 to whatever it is asked: all that a pair wants of its tokens to log its reserves. */
const ANSWERS_ALWAYS: Hex = "0x69d3c21bcecceda100000060005260206000f3";

export async function startManyPairs(count: number): Promise<ManyPairs> {
  const anvil = await startAnvil({
    port: 0,
    args: ["--gas-limit", String(BLOCK_GAS_LIMIT), "--balance", "1000000000"],
  });
  const rpc = createJsonRpc(anvil.rpcUrl);
  const { whale } = devnetAccounts();
  let nonce = 0;
  const send = async (transactions: readonly Transaction[]) => {
    const hashes = await submit(rpc, whale, nonce, transactions);
    nonce += transactions.length;
    await rpc.call("evm_mine");
    await assertMined(rpc, transactions, hashes);
    return hashes;
  };
  const multicall = await rpc.call<Hex>("eth_call", [{ data: bundled("Multicall3").bytecode }, "latest"]);
  await rpc.call("anvil_setCode", [MULTICALL, multicall]);
  const tokens = Array.from({ length: Math.ceil(Math.sqrt(2 * count)) + 1 }, (_, index) =>
    toAddress(`0x${(0x5000 + index).toString(16).padStart(40, "0")}`),
  );
  for (const token of [...tokens, WRAPPED]) await rpc.call("anvil_setCode", [token, ANSWERS_ALWAYS]);
  const { abi, bytecode } = bundled("UniswapV2Factory");
  const creation = `${bytecode}${encodeAbiParameters([{ type: "address" }], [whale]).slice(2)}` as Hex;
  const [created] = await send([{ label: "factory", data: creation }]);
  const receipt = await rpc.call<{ contractAddress: Hex }>("eth_getTransactionReceipt", [created]);
  const factory = toAddress(receipt.contractAddress);
  const call = callWith(abi);
  const creations = tokens
    .flatMap((first, index) => tokens.slice(index + 1).map((second) => [first, second]))
    .slice(0, count)
    .map((pair) => ({ ...call("createPair", factory, pair), gas: 4_000_000n }));
  const pairs: Address[] = [];
  for (let from = 0; from < creations.length; from += PAIRS_PER_BLOCK) {
    await send(creations.slice(from, from + PAIRS_PER_BLOCK));
    const logs = await rpc.call<readonly { data: Hex }[]>("eth_getLogs", [{ fromBlock: "latest", address: factory }]);
    for (const { data } of logs) pairs.push(toAddress(`0x${data.slice(26, 66)}`));
  }
  const sync = (pair: Address): Transaction => ({ label: "sync", to: pair, data: "0xfff6cae9", gas: 150_000n });
  for (let from = 0; from < pairs.length; from += PAIRS_PER_BLOCK) {
    await send(pairs.slice(from, from + PAIRS_PER_BLOCK).map(sync));
  }
  await rpc.call("evm_setBlockGasLimit", [numberToHex(BLOCK_GAS_LIMIT)]);
  const fee = { feeNum: 3n, feeDen: 1_000n };
  const venue: AnyRecord = { protocol: "uniswap-v2", source: "Uniswap_V2", factory, ...fee, fromBlock: 0n };
  return {
    anvil,
    record: {
      chainId: 31_337,
      name: "many pairs",
      native: { symbol: "ETH", name: "Ether" },
      wrappedNative: WRAPPED,
      multicall3: MULTICALL,
      blockTimeMs: 0,
      finalityDepth: 8,
      venues: [venue],
    },
    async mine(blocks, syncs) {
      for (let block = 0; block < blocks; block++) {
        await send(Array.from({ length: syncs }, (_, index) => sync(pairs[(block * syncs + index) % pairs.length]!)));
      }
    },
  };
}
