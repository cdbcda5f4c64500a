import { encodeAbiParameters, parseAbiParameters } from "viem/utils";
import { z } from "zod";
import { type Address, type Hex, toAddress, ZERO_ADDRESS } from "../../domain/address.ts";
import type { MakerOrder } from "../../domain/maker-order.ts";
import { MAX_UINT256 } from "../../math/full-math.ts";
import { addressText, amountText, decimal } from "../numbers.ts";
import { UnusableAnswer } from "../order-answer.ts";
import type { ForeignOrder, ForeignProtocol, ForeignTerms } from "./protocol.ts";

/**
 * Makers that speak RFQ-T of 0x v4 (0xProject/quote-server: GET rfqt/v2/quote, answered with a `signedOrder`). They show no
 * levels. The exchange proxy fills the order, by the description of its orders at docs.0xprotocol.org.
 */

/** Exchange proxies by chain (npm @0x/contract-addresses 8.13.0, addresses.json). */
const PROXIES: readonly { readonly proxy: Address; readonly chains: readonly number[] }[] = [
  { proxy: toAddress("0xdef1c0ded9bec7f1a1670819833240f027b25eff"), chains: [1, 56, 137, 8453, 42161, 43114] },
  { proxy: toAddress("0xdef1abe32c034e558cdd535791643c58a13acc10"), chains: [10] },
];

const MAX_UINT64 = 2n ** 64n - 1n;
const EIP712 = 2;
/** An OTC order's expiry stands above its nonce and the nonce's bucket. */
const NONCE_BITS = 192n;
const NONCE = (1n << NONCE_BITS) - 1n;

const RFQ = parseAbiParameters([
  "RfqOrder order, Signature signature, uint128 takerTokenFillAmount",
  "struct RfqOrder { address makerToken; address takerToken; uint128 makerAmount; uint128 takerAmount; address maker; address taker; address txOrigin; bytes32 pool; uint64 expiry; uint256 salt; }",
  "struct Signature { uint8 signatureType; uint8 v; bytes32 r; bytes32 s; }",
]);
const OTC = parseAbiParameters([
  "OtcOrder order, Signature signature, uint128 takerTokenFillAmount",
  "struct OtcOrder { address makerToken; address takerToken; uint128 makerAmount; uint128 takerAmount; address maker; address taker; address txOrigin; uint256 expiryAndNonce; }",
  "struct Signature { uint8 signatureType; uint8 v; bytes32 r; bytes32 s; }",
]);

const word = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((text) => text.toLowerCase() as Hex);
/** A whole number as digits, or as a number that has lost none. */
const whole = (most: bigint) =>
  z.preprocess((value) => (Number.isSafeInteger(value) ? String(value) : value), decimal(0n, most));

const SHARED = {
  makerToken: addressText,
  takerToken: addressText,
  makerAmount: amountText,
  takerAmount: amountText,
  maker: addressText,
  taker: addressText,
  txOrigin: addressText,
  signature: z.object({
    signatureType: z.literal(EIP712),
    v: z.union([z.literal(27), z.literal(28)]),
    r: word,
    s: word,
  }),
  chainId: z.number().optional(),
  verifyingContract: addressText.optional(),
};
const RFQ_ORDER = z.object({
  ...SHARED,
  pool: word.default(`0x${"0".repeat(64)}`),
  expiry: whole(MAX_UINT64),
  salt: whole(MAX_UINT256),
});
const OTC_ORDER = z.object({ ...SHARED, expiryAndNonce: whole(MAX_UINT256) });
const ANSWER = z.object({ signedOrder: z.union([RFQ_ORDER, OTC_ORDER]) });

export const zeroEx: ForeignProtocol = {
  contractOn: (chainId) => PROXIES.find(({ chains }) => chains.includes(chainId))?.proxy,
  makerPays: true,

  question({ takerToken, makerToken, amount }, { taker, trader }, ordersUrl) {
    const url = new URL(ordersUrl);
    const parameters = {
      sellTokenAddress: takerToken,
      buyTokenAddress: makerToken,
      ...(amount.kind === "exactIn"
        ? { sellAmountBaseUnits: String(amount.takerAmount) }
        : { buyAmountBaseUnits: String(amount.makerAmount) }),
      takerAddress: taker,
      txOrigin: trader,
      protocolVersion: "4",
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { url };
  },

  readOrder(body, terms) {
    if (body === undefined) throw new UnusableAnswer("refused", "it declined");
    const answer = ANSWER.safeParse(body);
    if (!answer.success) throw new UnusableAnswer("invalid", "the answer is no signedOrder of 0x v4");
    const { signature, chainId, verifyingContract, ...order } = answer.data.signedOrder;
    if (chainId !== undefined && chainId !== terms.chainId) throw new UnusableAnswer("invalid", "chainId is another");
    if (verifyingContract !== undefined && verifyingContract !== terms.contract) {
      throw new UnusableAnswer("invalid", `it is settled by ${verifyingContract}`);
    }
    if (order.txOrigin !== terms.trader) throw new UnusableAnswer("invalid", "txOrigin is not as asked");
    const fill = order.takerAmount;
    if ("expiryAndNonce" in order) {
      const { expiryAndNonce } = order;
      // An OTC order is used up by its first fill, of any size.
      const rest = { expiry: expiryAndNonce >> NONCE_BITS, nonce: expiryAndNonce & NONCE };
      const call = { function: "0x-otc", arguments: encodeAbiParameters(OTC, [order, signature, fill]) } as const;
      return foreignOrder(order, rest, terms, call);
    }
    const rest = { expiry: order.expiry, nonce: order.salt };
    const call = { function: "0x-rfq", arguments: encodeAbiParameters(RFQ, [order, signature, fill]) } as const;
    return foreignOrder(order, rest, terms, call);
  },
};

interface SharedFields {
  readonly makerToken: Address;
  readonly takerToken: Address;
  readonly makerAmount: bigint;
  readonly takerAmount: bigint;
  readonly maker: Address;
  readonly taker: Address;
}

function foreignOrder(
  { makerToken, takerToken, makerAmount, takerAmount, maker, taker }: SharedFields,
  { expiry, nonce }: Pick<MakerOrder, "expiry" | "nonce">,
  { trader, taker: executor }: ForeignTerms,
  call: ForeignOrder["call"],
): ForeignOrder {
  return {
    order: {
      ...{ maker, makerToken, takerToken, makerAmount, takerAmount, trader, nonce },
      // Without a taker it is bound by its origin alone.
      taker: taker === ZERO_ADDRESS ? executor : taker,
      minTakerAmount: 1n,
      // Its last second is the one before.
      expiry: expiry - 1n,
      refillable: false,
    },
    call,
  };
}
