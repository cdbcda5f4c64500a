import { afterAll, beforeAll, expect, test } from "vitest";
import { bundled } from "../../src/devnet/contracts/bundle.ts";
import { NATIVE_TOKEN } from "../../src/domain/address.ts";
import { type AnyRecord, createSources } from "../../src/venues/index.ts";
import { wrappedNative } from "../../src/venues/wrapped-native/source.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";

let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

test("the wrapped native token is one fixed pool, and absent where there is no contract", async () => {
  const { abi, bytecode } = bundled("WETH9");
  const wrapped = await anvil.deploy(abi, bytecode);
  const start = await anvil.mine();
  const source = wrappedNative(wrapped);
  const { refs } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: 1, act: () => anvil.mine() },
    logsOf: anvil.logsOf,
  });
  expect(refs).toEqual([{ id: wrapped, address: wrapped, tokens: [NATIVE_TOKEN, wrapped], terms: {} }]);
  expect(
    await wrappedNative(anvil.account).sync(anvil.reader, wrappedNative(anvil.account).fixed?.() ?? [], start),
  ).toEqual([]);
});

test("a chain's sources are the wrapper and then its venues", () => {
  const factory = wrappedAddress("1");
  const venues: readonly AnyRecord[] = [
    { protocol: "uniswap-v3", source: "Uniswap_V3", factory, fromBlock: 0n },
    { protocol: "uniswap-v2", source: "SushiSwap", factory, feeNum: 3n, feeDen: 1000n, fromBlock: 0n },
  ];
  const sources = createSources({ wrappedNative: wrappedAddress("2"), venues });
  expect(sources.map(({ id }) => id)).toEqual(["Wrapped_Native", "Uniswap_V3", "SushiSwap"]);
});

function wrappedAddress(digit: string): typeof NATIVE_TOKEN {
  return `0x${digit.repeat(40)}` as typeof NATIVE_TOKEN;
}
