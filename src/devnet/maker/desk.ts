import type { Hex } from "viem";
import type { LocalAccount } from "viem/accounts";
import { type Address, isAddressText, toAddress } from "../../domain/address.ts";
import type { MakerOrder } from "../../domain/maker-order.ts";
import { makerOrderDigest } from "../../settlement/maker-order-digest.ts";
import { type Book, trade, type Wanted } from "./book.ts";

/** Dependencies of the reference maker's desk. */
export interface DeskOptions {
  readonly chainId: number;
  readonly settlement: Address;
  readonly account: LocalAccount;
  /** Its first nonce: nobody else's orders of this account may have one above it. */
  readonly firstNonce: bigint;
}

/** Answers of the reference maker. */
export interface ReferenceDesk {
  /** All its levels, as docs/makers.md has them. */
  levels(books: readonly Book[]): string;
  /** The answer to a question for a firm order: a signed order, or why there is none. */
  answer(books: readonly Book[], question: unknown): Promise<Answer>;
}

export type Answer =
  | { readonly order: Readonly<Record<keyof MakerOrder, string | boolean>>; readonly signature: Hex }
  | { readonly declined: string };

/** Orders are valid for so many seconds longer than they have to be. */
const LONGER = 30n;
const WHOLE = /^[1-9][0-9]{0,38}$/;

export function createReferenceDesk({ chainId, settlement, account, firstNonce }: DeskOptions): ReferenceDesk {
  let nonce = firstNonce;
  return {
    levels: (books) => {
      const side = (levels: Book["bids"]) => levels.map((level) => level.map(String));
      const pairs = books.map(({ base, quote, bids, asks }) => ({ base, quote, bids: side(bids), asks: side(asks) }));
      return JSON.stringify({ type: "levels", chainId, pairs });
    },
    async answer(books, question) {
      const asked = readQuestion(question);
      if (asked === undefined) return { declined: "the question cannot be read" };
      if (asked.chainId !== chainId || asked.settlement !== settlement)
        return { declined: "another chain or contract" };
      const amounts = trade(books, asked.wanted);
      if (amounts === undefined) return { declined: "no level for this" };
      const { takerToken, makerToken } = asked.wanted;
      const order: MakerOrder = {
        maker: toAddress(account.address),
        taker: asked.taker,
        trader: asked.trader,
        makerToken,
        takerToken,
        ...amounts,
        minTakerAmount: 1n,
        expiry: asked.expiry + LONGER,
        nonce: nonce++,
        refillable: false,
      };
      if (account.sign === undefined) return { declined: "no key" };
      const signature = await account.sign({ hash: makerOrderDigest(order, chainId, settlement) });
      return { order: textOf(order), signature };
    },
  };
}

interface Question {
  readonly chainId: number;
  readonly settlement: Address;
  readonly taker: Address;
  readonly trader: Address;
  readonly wanted: Wanted;
  readonly expiry: bigint;
}

function readQuestion(question: unknown): Question | undefined {
  if (typeof question !== "object" || question === null) return undefined;
  const field = (name: string): unknown => (question as Readonly<Record<string, unknown>>)[name];
  const address = (name: string) => {
    const text = field(name);
    return typeof text === "string" && isAddressText(text) ? toAddress(text) : undefined;
  };
  const amount = (name: string) => {
    const text = field(name);
    return typeof text === "string" && WHOLE.test(text) ? BigInt(text) : undefined;
  };
  const [chainId, settlement, taker, trader] = [field("chainId"), ...["settlement", "taker", "trader"].map(address)];
  const [takerToken, makerToken, expiry] = [address("takerToken"), address("makerToken"), amount("expiry")];
  const [takerAmount, makerAmount] = [amount("takerAmount"), amount("makerAmount")];
  if (typeof chainId !== "number" || settlement === undefined || taker === undefined || trader === undefined) {
    return undefined;
  }
  if (takerToken === undefined || makerToken === undefined || expiry === undefined) return undefined;
  if ((takerAmount === undefined) === (makerAmount === undefined)) return undefined;
  const pair = { takerToken, makerToken };
  const wanted: Wanted | undefined =
    takerAmount !== undefined
      ? { ...pair, takerAmount }
      : makerAmount !== undefined
        ? { ...pair, makerAmount }
        : undefined;
  return wanted && { chainId, settlement, taker, trader, wanted, expiry };
}

function textOf(order: MakerOrder): Readonly<Record<keyof MakerOrder, string | boolean>> {
  const entries = Object.entries(order).map(([name, value]) => [name, typeof value === "bigint" ? `${value}` : value]);
  return Object.fromEntries(entries) as Readonly<Record<keyof MakerOrder, string | boolean>>;
}
