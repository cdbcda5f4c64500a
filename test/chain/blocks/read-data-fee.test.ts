import { expect, it } from "vitest";
import { readDataFee } from "../../../src/chain/blocks/read-data-fee.ts";
import { startChain } from "../../../src/chain/chain.ts";
import { readChainRecord } from "../../../src/chain/chains/known-chains.ts";
import { parseHeader } from "../../../src/chain/rpc/codec.ts";
import { createProvider } from "../../../src/chain/rpc/provider.ts";
import { createChainReader } from "../../../src/chain/rpc/reader.ts";
import { toAddress } from "../../../src/domain/address.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { dataFeeOf, gasPriceWithData, networkFeeOf } from "../../../src/quoting/cost/data-fee.ts";
import { transactionBytes, USUAL_USE } from "../../../src/settlement/calldata-size.ts";
import { createSources, VENUES } from "../../../src/venues/index.ts";
import { useDevnet } from "../../support/worlds/devnet.ts";

const devnet = useDevnet();
const ORACLE = toAddress(`0x42${"0".repeat(36)}0f`);
const NOBODY = toAddress(`0x${"99".repeat(20)}`);
/** Answers 1000 + 7 for each byte that it is called with: calldatasize, mul, add, mstore, return. */
const SEVEN_A_BYTE = "0x366007026103e8015f5260205ff3";
/** Bytes of a getL1Fee call around the bytes that it asks about: selector, offset, length. */
const AROUND = 68n;

it("a rollup's own oracle tells what data costs, as a straight line through two sizes", async () => {
  const { rpc, rpcUrl, chain: record, tokens } = devnet();
  await rpc("anvil_setCode", [ORACLE, SEVEN_A_BYTE]);
  await devnet().mine();
  const logger = createLogger("silent");
  const provider = createProvider({ url: rpcUrl, timeoutMs: 10_000, logger });
  const reader = createChainReader(provider, record);
  const head = parseHeader(await provider.request("eth_getBlockByNumber", ["latest", false]));
  const expected = { fixed: 1_000n + 7n * AROUND, perByte: 7n };
  const dataFee = { kind: "op-stack", oracle: ORACLE } as const;
  expect(await readDataFee(reader, { dataFee }, head)).toEqual(expected);
  expect(await readDataFee(reader, {}, head)).toBeUndefined();
  expect(await readDataFee(reader, { dataFee: { ...dataFee, oracle: NOBODY } }, head)).toBeUndefined();

  const chain = await startChain({
    record: { ...record, dataFee },
    rpcUrls: [rpcUrl],
    sources: createSources(record),
    tokens,
    logger,
    explainRevert: (data) => data,
  });
  const snapshot = await chain.firstSnapshot;
  expect(snapshot.dataFee).toEqual(expected);
  expect(dataFeeOf(snapshot, transactionBytes(1_000))).toBe(expected.fixed + 7n * 1_060n);
  const { dataFee: _, ...without } = snapshot;
  expect(dataFeeOf(without, transactionBytes(1_000))).toBe(0n);
  // The calldata that a use of a pool adds costs about as much as this per unit of the pool use's gas.
  expect(gasPriceWithData(5n, undefined, USUAL_USE)).toBe(5n);
  expect(gasPriceWithData(5n, { fixed: 0n, perByte: 10_000_000n }, USUAL_USE)).toBe(5n + 6_000n);
  await chain.stop();
  provider.close();
});

const GAS_INFO = toAddress(`0x${"0".repeat(38)}6c`);
/** Code of ArbGasInfo.getPricesInWei with six words, 4000 in the second: push, push, mstore, push, push, return. */
const PRICES_IN_WEI = "0x610fa060205260c05ff3";

it("Arbitrum's own contract tells what a byte costs, which is paid as gas", async () => {
  const { rpc, rpcUrl, chain: record } = devnet();
  await rpc("anvil_setCode", [GAS_INFO, PRICES_IN_WEI]);
  await devnet().mine();
  const provider = createProvider({ url: rpcUrl, timeoutMs: 10_000, logger: createLogger("silent") });
  const reader = createChainReader(provider, record);
  const head = parseHeader(await provider.request("eth_getBlockByNumber", ["latest", false]));
  const { dataFee } = readChainRecord({ name: "arbitrum" }, VENUES);
  expect(dataFee).toEqual({ kind: "arbitrum", oracle: GAS_INFO });
  const fee = await readDataFee(reader, { dataFee: dataFee! }, head);
  // Brotli leaves eight tenths of our bytes.
  expect(fee).toEqual({ fixed: 0n, perByte: 3_200n, asGas: true });
  expect(await readDataFee(reader, { dataFee: { ...dataFee!, oracle: NOBODY } }, head)).toBeUndefined();
  provider.close();

  const gas = { expected: 100_000n, limit: 120_000n };
  const more = (3_200n * 500n) / 1_000n;
  expect(networkFeeOf({ dataFee: fee!, gasPrice: 1_000n }, gas, 2_000n, transactionBytes(440))).toEqual({
    gas: { expected: gas.expected + more, limit: gas.limit + more },
    total: (gas.limit + more) * 2_000n,
  });
  const { asGas: _, ...apart } = fee!;
  expect(networkFeeOf({ dataFee: apart, gasPrice: 1_000n }, gas, 2_000n, transactionBytes(440))).toEqual({
    gas,
    total: gas.limit * 2_000n + 3_200n * 500n,
  });
});
