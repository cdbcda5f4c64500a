import { expect, it } from "vitest";
import { startChain } from "../../src/chain/chain.ts";
import { readDataFee } from "../../src/chain/data-fee.ts";
import { createProvider } from "../../src/chain/provider.ts";
import { createChainReader } from "../../src/chain/reader.ts";
import { parseHeader } from "../../src/chain/wire.ts";
import { toAddress } from "../../src/domain/address.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { dataFeeOf, gasPriceWithData } from "../../src/quoting/data-fee.ts";
import { createSources } from "../../src/sources/index.ts";
import { useDevnet } from "../support/devnet.ts";

const devnet = useDevnet();
const ORACLE = toAddress(`0x42${"0".repeat(36)}0f`);
const NOBODY = toAddress(`0x${"99".repeat(20)}`);
/** Answers 1000 + 7 for each byte that it is called with: calldatasize, mul, add, mstore, return. */
const SEVEN_A_BYTE = "0x366007026103e8015f5260205ff3";
/** What the call of getL1Fee has around the bytes that it is asked about: selector, offset, length. */
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
  expect(dataFeeOf(snapshot, 1_000)).toBe(expected.fixed + 7n * 1_180n);
  const { dataFee: _, ...without } = snapshot;
  expect(dataFeeOf(without, 1_000)).toBe(0n);
  // What a touch of a pool adds to the calldata costs about as much as it does per unit of the touch's gas.
  expect(gasPriceWithData(5n, undefined)).toBe(5n);
  expect(gasPriceWithData(5n, { fixed: 0n, perByte: 11_000_000n })).toBe(5n + 4_000n);
  await chain.stop();
  provider.close();
});
