import { encodeAbiParameters, parseAbiParameters } from "viem/utils";
import { z } from "zod";
import { type Address, type Hex, toAddress, ZERO_ADDRESS } from "../../domain/address.ts";
import { MAX_UINT256 } from "../../math/full-math.ts";
import { addressText, amountText, decimal, tokenText } from "../numbers.ts";
import { UnusableAnswer } from "../order-answer.ts";
import { MAX_TOLD, type PricedPair, type PriceLevel, pairLevelsOf } from "./price-levels.ts";
import type { ForeignProtocol } from "./protocol.ts";

/**
 * Hashflow's taker API, version 3 (docs.hashflow.com: taker, getting started). Levels are polled at /price-levels; a firm
 * order is asked for by POST /rfq, and its router trades it (hashflownetwork/x-protocol: IQuote, HashflowPool).
 */

/** Routers by chain (x-protocol: evm/deployed-contracts/IHashflowRouter.json). */
const ROUTERS: readonly { readonly router: Address; readonly chains: readonly number[] }[] = [
  { router: toAddress("0x55084ee0fef03f14a305cd24286359a35d735151"), chains: [1, 56, 137, 42161, 43114] },
  { router: toAddress("0xca310b1b942a30ff4b40a5e1b69ab4607ec79bc1"), chains: [10, 8453] },
];

const QUOTE = parseAbiParameters([
  "RFQTQuote quote",
  "struct RFQTQuote { address pool; address externalAccount; address trader; address effectiveTrader; address baseToken; address quoteToken; uint256 effectiveBaseTokenAmount; uint256 baseTokenAmount; uint256 quoteTokenAmount; uint256 quoteExpiry; uint256 nonce; bytes32 txid; bytes signature; }",
]);

const LEVEL = z.object({ q: z.string(), p: z.string() });
const LADDER = z.object({ pair: z.object({ baseToken: tokenText, quoteToken: tokenText }), levels: z.array(LEVEL) });
const LEVELS = z.object({
  status: z.literal("success"),
  levels: z.record(z.string(), z.array(z.unknown())).nullish(),
});

/** A whole number as digits, or as a number that has lost none. */
const whole = z.preprocess((value) => (Number.isSafeInteger(value) ? String(value) : value), decimal(0n, MAX_UINT256));
const account = addressText.nullish().transform((address) => address ?? ZERO_ADDRESS);
const bytes = (pattern: RegExp) =>
  z
    .string()
    .regex(pattern)
    .transform((text) => text.toLowerCase() as Hex);

const ANSWER = z.object({
  quotes: z.tuple([
    z.object({
      quoteData: z.object({
        pool: addressText,
        externalAccount: account,
        trader: addressText,
        effectiveTrader: account,
        baseToken: addressText,
        quoteToken: addressText,
        baseTokenAmount: amountText,
        quoteTokenAmount: amountText,
        quoteExpiry: whole,
        nonce: whole,
        txid: bytes(/^0x[0-9a-fA-F]{64}$/),
      }),
      signature: bytes(/^0x[0-9a-fA-F]{130}$/),
      targetContract: addressText.nullish(),
    }),
  ]),
});
const FAILURE = z.object({ status: z.literal("fail") });

export const hashflow: ForeignProtocol = {
  contractOn: (chainId) => ROUTERS.find(({ chains }) => chains.includes(chainId))?.router,
  makerPays: false,

  readLevels(message, { decimalsOf }) {
    const parsed = LEVELS.safeParse(message);
    if (!parsed.success) throw new Error("a message that is no answer of Hashflow's /price-levels");
    return pairLevelsOf(
      bothWays(
        Object.values(parsed.data.levels ?? {})
          .flat()
          .slice(0, MAX_TOLD.pairs),
      ),
      decimalsOf,
    );
  },

  question({ takerToken, makerToken, amount }, { taker, trader, chainId }, ordersUrl) {
    const url = new URL(ordersUrl);
    const source = url.searchParams.get("source") ?? "";
    url.searchParams.delete("source");
    const chain = { chainType: "evm", chainId };
    const wanted =
      amount.kind === "exactIn"
        ? { baseTokenAmount: String(amount.takerAmount) }
        : { quoteTokenAmount: String(amount.makerAmount) };
    const rfq = { baseToken: takerToken, quoteToken: makerToken, ...wanted, trader: taker, effectiveTrader: trader };
    return {
      url,
      body: JSON.stringify({ source, baseChain: chain, quoteChain: chain, rfqs: [rfq], calldata: false }),
    };
  },

  readOrder(body, { contract, trader }) {
    if (FAILURE.safeParse(body).success) throw new UnusableAnswer("refused", "it declined");
    const answer = ANSWER.safeParse(body);
    if (!answer.success) throw new UnusableAnswer("invalid", "the answer is no quote of Hashflow's");
    const [{ quoteData, signature, targetContract }] = answer.data.quotes;
    if ((targetContract ?? contract) !== contract) {
      throw new UnusableAnswer("invalid", `it is settled by ${targetContract}`);
    }
    if (quoteData.effectiveTrader !== trader) throw new UnusableAnswer("invalid", "effectiveTrader is not as asked");
    const { baseTokenAmount, quoteTokenAmount, quoteExpiry, nonce } = quoteData;
    return {
      order: {
        maker: quoteData.pool,
        taker: quoteData.trader,
        trader,
        makerToken: quoteData.quoteToken,
        takerToken: quoteData.baseToken,
        makerAmount: quoteTokenAmount,
        takerAmount: baseTokenAmount,
        minTakerAmount: 1n,
        // Its last second is the one before.
        expiry: quoteExpiry - 1n,
        nonce,
        refillable: false,
      },
      call: {
        function: "hashflow-rfqt",
        arguments: encodeAbiParameters(QUOTE, [{ ...quoteData, effectiveBaseTokenAmount: baseTokenAmount, signature }]),
      },
    };
  },
};

/** Ladders lead one way each. Of several makers' for one way the one with the best first price counts. */
function bothWays(ladders: readonly unknown[]): readonly PricedPair[] {
  const byWay = new Map<string, z.infer<typeof LADDER>>();
  for (const each of ladders) {
    const ladder = LADDER.safeParse(each);
    if (!ladder.success || ladder.data.levels.length === 0) continue;
    const { baseToken, quoteToken } = ladder.data.pair;
    const before = byWay.get(`${baseToken} ${quoteToken}`);
    if (before === undefined || priceOf(ladder.data) > priceOf(before)) {
      byWay.set(`${baseToken} ${quoteToken}`, ladder.data);
    }
  }
  return [...byWay.values()].map(({ pair: { baseToken: base, quoteToken: quote }, levels }) => ({
    ...{ base, quote, bids: priced(levels), asks: [] },
    back: priced(byWay.get(`${quote} ${base}`)?.levels ?? []),
  }));
}

/** First price of a ladder, or zero for what is no number: the better of two ladders is told all the same. */
function priceOf({ levels }: z.infer<typeof LADDER>): number {
  const price = Number(levels[0]?.p);
  return Number.isFinite(price) ? price : 0;
}

function priced(levels: readonly z.infer<typeof LEVEL>[]): readonly PriceLevel[] {
  return levels.slice(0, MAX_TOLD.levels).map(({ q, p }) => ({ price: p, size: q }));
}
