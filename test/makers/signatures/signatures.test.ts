import {
  concat,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  maxUint256,
  parseAbi,
  parseSignature,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { devnetAccounts } from "../../../src/devnet/node/accounts.ts";
import { type Address, type Hex, toAddress } from "../../../src/domain/address.ts";
import type { MakerOrder } from "../../../src/domain/maker-order.ts";
import { FRACTION_ONE } from "../../../src/quoting/answer/types.ts";
import { settlementContracts } from "../../../src/settlement/contracts.ts";
import { makerOrderDigest } from "../../../src/settlement/maker-order-digest.ts";
import { execute } from "../../promise/execute.ts";
import { compiled } from "../../venues/worlds/compiled.ts";
import { type MakerWorld, startMakerWorld, TAKER } from "../maker-world.ts";
import { type Behaviour, sendJson } from "../scripted-makers.ts";

const ONE = 10n ** 18n;
const signer = privateKeyToAccount(`0x${"5a".repeat(32)}`);
const account = toAddress(devnetAccounts().maker.address);

let world: MakerWorld;
let settlement: Address;
beforeAll(async () => {
  world = await startMakerWorld(["Alpha", "Stranger", "Wallet", "Liar"]);
  settlement = settlementContracts(world.devnet.chain.wrappedNative).orders.address;
}, 120_000);
afterAll(() => world?.stop());

/** The honest order of `maker`, signed by `sign`. */
const signedAs =
  (maker: Address, sign: (digest: Hex) => Promise<Hex>): Behaviour =>
  async ({ honest, response }) => {
    const answer = await honest();
    if (!("order" in answer)) throw new Error(answer.declined);
    const text = { ...answer.order, maker };
    const number = /Amount|expiry|nonce/;
    const order = Object.fromEntries(
      Object.entries(text).map(([name, value]) => [name, number.test(name) ? BigInt(value) : value]),
    ) as unknown as MakerOrder;
    sendJson(response, 200, { order: text, signature: await sign(makerOrderDigest(order, 31337, settlement)) });
  };

async function quoteOver(name: string) {
  await world.show({ [name]: await world.scripted.books([["WETH", "USDH"]], 60n) });
  return world.quote({
    sellToken: world.layout.token("WETH"),
    buyToken: world.layout.token("USDH"),
    amount: { kind: "exactIn", sellAmount: ONE },
    slippage: FRACTION_ONE / 100n,
    sources: { kind: "all" },
    skipValidation: false,
    taker: TAKER,
  });
}

const totals = (name: string) => [...(world.makers.figures().find((maker) => maker.name === name)?.totals ?? [])];

it("a signer that the maker has registered and the operator has configured signs for it", async () => {
  const data = encodeFunctionData({
    abi: parseAbi(["function setSigner(address signer, bool allowed)"]),
    functionName: "setSigner",
    args: [signer.address, true],
  });
  expect((await world.devnet.sendTransaction(account, { to: settlement, data })).succeeded).toBe(true);
  await world.follow();
  const behave = signedAs(account, (hash) => signer.sign({ hash }));
  for (const name of ["Alpha", "Stranger"]) world.maker(name).behave = behave;
  Object.assign(world.maker("Alpha").record, { signers: [toAddress(signer.address)] });

  const answer = await quoteOver("Alpha");
  expect(answer.orders[0]).toMatchObject({ type: 1, source: "Alpha" });
  const { receipt, bought } = await execute(world, answer, TAKER);
  expect(receipt.succeeded).toBe(true);
  expect(bought).toBe(answer.buyAmount);
  // The chain alone would take it: the operator has to know the key as well.
  expect((await quoteOver("Stranger")).orders[0]?.source).not.toBe("Stranger");
  expect(totals("Stranger")).toEqual([["invalid", 1]]);
});

it("a contract judges signatures for its own orders, and what it does not approve costs nobody anything", async () => {
  const { abi, bytecode } = compiled("MakerWallet");
  const { contractAddress } = await world.devnet.sendTransaction(world.devnet.whale, {
    data: encodeDeployData({ abi, bytecode, args: [signer.address] }),
  });
  const wallet = toAddress(contractAddress as string);
  const usdh = world.token("USDH");
  await world.devnet.fund(usdh, wallet, 1_000_000_000_000n);
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [settlement, maxUint256] });
  const run = encodeFunctionData({ abi, functionName: "run", args: [usdh, approve] });
  expect((await world.devnet.sendTransaction(TAKER, { to: wallet, data: run })).succeeded).toBe(true);
  await world.follow();
  for (const name of ["Wallet", "Liar"]) {
    Object.assign(world.maker(name).record, { accounts: [wallet], erc1271: true });
  }

  world.maker("Wallet").behave = signedAs(wallet, async (hash) => {
    const { r, s, v } = parseSignature(await signer.sign({ hash }));
    return encodeAbiParameters([{ type: "bytes32" }, { type: "bytes32" }, { type: "uint8" }], [r, s, Number(v)]);
  });
  const answer = await quoteOver("Wallet");
  expect(answer.orders[0]).toMatchObject({ type: 1, source: "Wallet", fillData: { maker: wallet } });
  const { receipt, bought } = await execute(world, answer, TAKER);
  expect(receipt.succeeded).toBe(true);
  expect(bought).toBe(answer.buyAmount);

  world.maker("Liar").behave = signedAs(wallet, async () => concat([`0x${"11".repeat(64)}`, `0x${"00".repeat(31)}1b`]));
  const without = await quoteOver("Liar");
  expect(without.orders.map(({ source }) => source)).not.toContain("Liar");
  expect(totals("Liar")).toEqual([
    ["good", 1],
    ["failed", 1],
  ]);
});
