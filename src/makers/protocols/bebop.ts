import { decodeFunctionData, encodeAbiParameters, getAddress, parseAbi, slice } from "viem/utils";
import { z } from "zod";
import { toAddress } from "../../domain/address.ts";
import { parseJson } from "../guarded-request.ts";
import { addressText, tokenText } from "../numbers.ts";
import { UnusableAnswer } from "../order-answer.ts";
import { pricingOf } from "./bebop-pricing.ts";
import { MAX_TOLD, type PricedPair, pairLevelsOf } from "./price-levels.ts";
import type { ForeignProtocol } from "./protocol.ts";

/**
 * Bebop's PMM RFQ, version 3 of its API (docs.bebop.xyz: price-api, rfq-api). Levels come by WebSocket, as the protobuf
 * message BebopPricingUpdate of that documentation or as JSON; a firm order is asked for by GET /quote.
 */

/** Its contract on every chain that its pricing endpoints are documented for. */
const SETTLEMENT = "0xbbbbbbb520d69a9775e85b458c58c648259fad5f";
const CHAINS: readonly number[] = [1, 10, 56, 137, 999, 8453, 42161, 43114];

/** The function that swaps an order of one maker (IBebopSettlement). */
const SWAP = parseAbi([
  "struct Single { uint256 expiry; address taker_address; address maker_address; uint256 maker_nonce; address taker_token; address maker_token; uint256 taker_amount; uint256 maker_amount; address receiver; uint256 packed_commands; uint256 flags; }",
  "struct MakerSignature { bytes signatureBytes; uint256 flags; }",
  "function swapSingle(Single order, MakerSignature makerSignature, uint256 filledTakerAmount)",
]);
const SINGLE = "0x4dcebcba";
const SELECTOR_DIGITS = 10;

const PAIR = z.object({
  bids: z.array(z.tuple([z.number(), z.number()])),
  asks: z.array(z.tuple([z.number(), z.number()])),
});
const PRICING = z.record(z.string(), z.unknown());

const ANSWER = z.object({
  tx: z.object({
    to: addressText,
    data: z.string().regex(/^0x([0-9a-fA-F]{2})*$/),
    value: z.union([z.string().regex(/^(0x[0-9a-fA-F]{1,64}|\d{1,78})$/), z.int()]).default("0x0"),
  }),
});
const ERROR = z.object({ error: z.object({ errorCode: z.number(), message: z.string() }) });

export const bebop: ForeignProtocol = {
  contractOn: (chainId) => (CHAINS.includes(chainId) ? toAddress(SETTLEMENT) : undefined),
  makerPays: false,
  parse: (bytes) => (bytes[0] === "{".charCodeAt(0) ? parseJson(bytes.toString("utf8")) : pricingOf(bytes)),

  readLevels(message, { decimalsOf }) {
    const pricing = PRICING.safeParse(message);
    if (!pricing.success) throw new Error("a message that is no pricing update of Bebop's");
    return pairLevelsOf(
      Object.entries(pricing.data)
        .slice(0, MAX_TOLD.pairs)
        .flatMap(([key, value]) => pricedPair(key, value)),
      decimalsOf,
    );
  },

  question({ takerToken, makerToken, amount }, { taker, trader }, ordersUrl) {
    const url = new URL(ordersUrl);
    const parameters = {
      // Its API tells tokens by their checksummed addresses.
      sell_tokens: getAddress(takerToken),
      buy_tokens: getAddress(makerToken),
      ...(amount.kind === "exactIn"
        ? { sell_amounts: String(amount.takerAmount) }
        : { buy_amounts: String(amount.makerAmount) }),
      taker_address: getAddress(taker),
      receiver_address: getAddress(taker),
      origin_address: getAddress(trader),
      approval_type: "Standard",
      gasless: "false",
      expiry_type: "standard",
      // The executor holds and approves nothing until the trade.
      skip_validation: "true",
      skip_taker_checks: "true",
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { url };
  },

  readOrder(body, { contract, taker, trader }) {
    const error = ERROR.safeParse(body);
    if (error.success) throw new UnusableAnswer("refused", `Bebop's error ${error.data.error.errorCode}`);
    const answer = ANSWER.safeParse(body);
    if (!answer.success) throw new UnusableAnswer("invalid", "the answer is no quote of Bebop's");
    const { to, value } = answer.data.tx;
    const data = answer.data.tx.data.toLowerCase() as `0x${string}`;
    if (to !== contract) throw new UnusableAnswer("invalid", `it is settled by ${to}`);
    if (BigInt(value) !== 0n) throw new UnusableAnswer("invalid", "it wants native token");
    if (data.slice(0, SELECTOR_DIGITS) !== SINGLE) {
      throw new UnusableAnswer("refused", "it has an order of several makers, which is not filled here");
    }
    const [single, , filled] = decoded(data);
    if (single.receiver.toLowerCase() !== taker) throw new UnusableAnswer("invalid", "receiver is not as asked");
    if (single.packed_commands !== 0n) throw new UnusableAnswer("invalid", "it wants native token or Permit2");
    if (filled !== 0n && filled !== single.taker_amount) throw new UnusableAnswer("invalid", "it is filled in part");
    return {
      order: {
        maker: toAddress(single.maker_address),
        taker: toAddress(single.taker_address),
        trader,
        makerToken: toAddress(single.maker_token),
        takerToken: toAddress(single.taker_token),
        makerAmount: single.maker_amount,
        takerAmount: single.taker_amount,
        minTakerAmount: 1n,
        // Its last second is the one before.
        expiry: single.expiry - 1n,
        nonce: single.maker_nonce,
        refillable: false,
      },
      call: { function: "bebop-single", arguments: slice(data, 4) },
    };
  },
};

/** @throws UnusableAnswer where the bytes are not what the function takes, to the last one */
function decoded(data: `0x${string}`) {
  try {
    const { args } = decodeFunctionData({ abi: SWAP, data });
    const [swap] = SWAP;
    if (encodeAbiParameters(swap.inputs, args) === slice(data, 4)) return args;
  } catch {
    // Answered below.
  }
  throw new UnusableAnswer("invalid", "its calldata is not that of swapSingle");
}

function pricedPair(key: string, value: unknown): readonly PricedPair[] {
  const [base, quote] = key.split("/").map((text) => tokenText.safeParse(text));
  const levels = PAIR.safeParse(value);
  if (!base?.success || !quote?.success || !levels.success) return [];
  const side = (entries: readonly (readonly [number, number])[]) =>
    entries.slice(0, MAX_TOLD.levels).map(([price, size]) => ({ price, size }));
  return [{ base: base.data, quote: quote.data, bids: side(levels.data.bids), asks: side(levels.data.asks) }];
}
