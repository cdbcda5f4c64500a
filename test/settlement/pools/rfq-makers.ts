import { encodeAbiParameters, encodePacked, keccak256, numberToHex, parseAbiParameters, parseSignature } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, type Hex, toAddress } from "../../../src/domain/address.ts";
import type { RfqCall, RfqFunction } from "../../../src/domain/maker-order.ts";
import { bebop } from "../../../src/makers/protocols/bebop.ts";
import { hashflow } from "../../../src/makers/protocols/hashflow.ts";
import type { ForeignOrder, ForeignTerms } from "../../../src/makers/protocols/protocol.ts";
import { zeroEx } from "../../../src/makers/protocols/zero-ex.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { settlementContracts } from "../../../src/settlement/contracts.ts";

const CHAIN_ID = 31_337;
const STOCK = 100_000n * UNIT;
const FAR = 2n ** 40n;
const plain = compiled("PlainToken").abi;
const KEY = privateKeyToAccount(`0x${"33".repeat(32)}`);

/** Trade that a maker is asked to sign. */
export interface Asked {
  readonly takerToken: Address;
  readonly makerToken: Address;
  readonly takerAmount: bigint;
  readonly makerAmount: bigint;
  readonly expiry?: bigint;
  readonly nonce?: bigint;
  /** Other values of the answer's fields. */
  readonly changes?: Readonly<Record<string, unknown>>;
}

const ORDER_FIELDS = [
  ...["makerToken", "takerToken"].map((name) => ({ name, type: "address" })),
  ...["makerAmount", "takerAmount"].map((name) => ({ name, type: "uint128" })),
  ...["maker", "taker", "txOrigin"].map((name) => ({ name, type: "address" })),
];
const TYPES = {
  RfqOrder: [
    ...ORDER_FIELDS,
    { name: "pool", type: "bytes32" },
    { name: "expiry", type: "uint64" },
    { name: "salt", type: "uint256" },
  ],
  OtcOrder: [...ORDER_FIELDS, { name: "expiryAndNonce", type: "uint256" }],
  SingleOrder: [
    { name: "partner_id", type: "uint64" },
    { name: "expiry", type: "uint256" },
    { name: "taker_address", type: "address" },
    { name: "maker_address", type: "address" },
    { name: "maker_nonce", type: "uint256" },
    { name: "taker_token", type: "address" },
    { name: "maker_token", type: "address" },
    { name: "taker_amount", type: "uint256" },
    { name: "maker_amount", type: "uint256" },
    { name: "receiver", type: "address" },
    { name: "packed_commands", type: "uint256" },
  ],
};
const SWAP_SINGLE = parseAbiParameters([
  "Single order, MakerSignature signature, uint256 filledTakerAmount",
  "struct Single { uint256 expiry; address taker_address; address maker_address; uint256 maker_nonce; address taker_token; address maker_token; uint256 taker_amount; uint256 maker_amount; address receiver; uint256 packed_commands; uint256 flags; }",
  "struct MakerSignature { bytes signatureBytes; uint256 flags; }",
]);

export type RfqMakers = Awaited<ReturnType<typeof withRfqMakers>>;

/** Parties of an order: the executor, who trades, and the contract that settles it. */
export interface Parties {
  readonly executor: Address;
  readonly trader: Address;
  readonly contract: Address;
}

let nonces = 1_700_000_000_000_000_001n;

/** A maker's answers to requests for firm orders, as its protocol's documentation has them, signed by one key. */
export const ANSWERS: Readonly<Record<RfqFunction, (asked: Asked, parties: Parties) => Promise<unknown>>> = {
  "0x-rfq": (asked, parties) => zeroExAnswer("RfqOrder", asked, parties),
  "0x-otc": (asked, parties) => zeroExAnswer("OtcOrder", asked, parties),

  async "bebop-single"(asked, { executor, contract }) {
    const order = {
      expiry: asked.expiry ?? FAR,
      taker_address: executor,
      maker_address: KEY.address,
      maker_nonce: asked.nonce ?? nonces++,
      taker_token: asked.takerToken,
      maker_token: asked.makerToken,
      taker_amount: asked.takerAmount,
      maker_amount: asked.makerAmount,
      receiver: executor,
      packed_commands: 0n,
      flags: 0xf71248bc6c123bbf12adc837470f7564n,
      ...asked.changes,
    };
    const message = { ...order, partner_id: order.flags >> 64n };
    const own = await signed("SingleOrder", message, { name: "BebopSettlement", version: "2" }, contract);
    const signatureBytes = asked.changes?.signatureBytes ?? own;
    const args = [order, { signatureBytes, flags: 0n }, order.taker_amount] as const;
    return {
      status: "SIG_SUCCESS",
      settlementAddress: contract,
      tx: { to: contract, data: `0x4dcebcba${encodeAbiParameters(SWAP_SINGLE, args as never).slice(2)}`, value: "0x0" },
      partialFillOffset: 12,
    };
  },

  async "hashflow-rfqt"(asked, { executor, trader }) {
    const quoteData = {
      pool: `0x${"b1".repeat(20)}`,
      externalAccount: KEY.address,
      trader: executor,
      effectiveTrader: trader,
      baseToken: asked.takerToken,
      quoteToken: asked.makerToken,
      baseTokenAmount: String(asked.takerAmount),
      quoteTokenAmount: String(asked.makerAmount),
      quoteExpiry: Number(asked.expiry ?? FAR),
      nonce: String(asked.nonce ?? nonces++),
      txid: `0x${"17".repeat(32)}`,
      ...asked.changes,
    };
    const packed = encodePacked([...Array(6).fill("address"), ...Array(4).fill("uint256"), "bytes32", "uint256"], [
      ...[quoteData.pool, quoteData.trader, quoteData.effectiveTrader, quoteData.externalAccount],
      ...[quoteData.baseToken, quoteData.quoteToken],
      ...[quoteData.baseTokenAmount, quoteData.quoteTokenAmount, quoteData.nonce, quoteData.quoteExpiry].map(BigInt),
      ...[quoteData.txid, BigInt(CHAIN_ID)],
    ] as never);
    const signature = await KEY.signMessage({ message: { raw: keccak256(packed) } });
    return { status: "success", rfqId: "r", quotes: [{ quoteData, signature }] };
  },
};

async function zeroExAnswer(type: "RfqOrder" | "OtcOrder", asked: Asked, { executor, trader, contract }: Parties) {
  const expiry = asked.expiry ?? FAR;
  const nonce = asked.nonce ?? nonces++;
  const order = {
    makerToken: asked.makerToken,
    takerToken: asked.takerToken,
    makerAmount: String(asked.makerAmount),
    takerAmount: String(asked.takerAmount),
    maker: KEY.address,
    taker: executor,
    txOrigin: trader,
    ...(type === "RfqOrder"
      ? { pool: `0x${"0".repeat(64)}`, expiry: String(expiry), salt: String(nonce) }
      : { expiryAndNonce: String((expiry << 192n) | nonce) }),
    ...asked.changes,
  };
  const { r, s, v } = parseSignature(await signed(type, order, { name: "ZeroEx", version: "1.0.0" }, contract));
  return { signedOrder: { ...order, signature: { signatureType: 2, v: Number(v), r, s } } };
}

function signed(
  primaryType: keyof typeof TYPES,
  message: Readonly<Record<string, unknown>>,
  domain: { readonly name: string; readonly version: string },
  verifyingContract: Address,
): Promise<Hex> {
  return KEY.signTypedData({
    domain: { ...domain, chainId: CHAIN_ID, verifyingContract },
    ...{ types: TYPES, primaryType, message },
  } as never);
}

/** The key's account, whose tokens all these answers sell. */
export const RFQ_MAKER = toAddress(KEY.address);

/** The world with doubles of makers' contracts, and a maker with stock that has approved them. */
export async function withRfqMakers(world: World) {
  const { node, taker, weth } = world;
  const executor = settlementContracts(weth).executor.address;
  const zeroExContract = await node.deploy(compiled("ZeroExDouble"));
  const contracts: Readonly<Record<RfqFunction, Address>> = {
    "0x-rfq": zeroExContract,
    "0x-otc": zeroExContract,
    "bebop-single": await node.deploy(compiled("BebopDouble")),
    "hashflow-rfqt": await node.deploy(compiled("HashflowDouble")),
  };
  await node.rpc("anvil_setBalance", RFQ_MAKER, numberToHex(100n * UNIT));
  await node.rpc("anvil_impersonateAccount", RFQ_MAKER);
  for (const token of [world.usd, world.dai, world.gem]) {
    await world.give(token, RFQ_MAKER, STOCK);
    for (const contract of new Set(Object.values(contracts))) {
      await node.write(RFQ_MAKER, token, plain, "approve", contract, 2n ** 256n - 1n);
    }
  }
  await world.keep();

  /** The order that the service reads out of the maker's answer. */
  async function orderOf(by: RfqFunction, asked: Asked): Promise<ForeignOrder & { readonly settlement: Address }> {
    const contract = contracts[by];
    const answer = await ANSWERS[by](asked, { executor, trader: taker, contract });
    const terms: ForeignTerms = {
      ...{ taker: executor, trader: taker, contract, chainId: CHAIN_ID, expiry: 0n, latest: FAR },
    };
    const protocol = { "0x-rfq": zeroEx, "0x-otc": zeroEx, "bebop-single": bebop, "hashflow-rfqt": hashflow }[by];
    return { ...protocol.readOrder(answer, terms), settlement: contract };
  }

  /** The world with these orders as its pools, each by a number of its own. */
  function worldWith(orders: readonly (ForeignOrder & { readonly settlement: Address })[]) {
    const states = new Map<Address, Pool>(world.states);
    const ids = orders.map((_, i) => toAddress(`0x${"f1".repeat(19)}${(16 + i).toString(16)}`));
    for (const [i, { order, call, settlement }] of orders.entries()) {
      const spot = { num: order.makerAmount, den: order.takerAmount };
      const state = { order, signature: "0x" as const, settlement, call, spot, filled: false };
      const tokens = [order.takerToken, order.makerToken];
      states.set(ids[i]!, { id: ids[i]!, source: "Test", tokens, curve: "signed-order", state });
    }
    const actionOf: World["actionOf"] = (fill) => {
      const found = orders[ids.indexOf(fill.poolId as Address)];
      if (found === undefined) return world.actionOf(fill);
      const { order, call, settlement } = found as ForeignOrder & { settlement: Address; call: RfqCall };
      return { action: "rfq-order", settlement, order, call };
    };
    return { world: { ...world, states, actionOf } as World, ids };
  }

  return { world, executor, contracts, orderOf, worldWith };
}
