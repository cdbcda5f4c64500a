import { z } from "zod";
import type { Address, Hex } from "../domain/address.ts";
import type { MakerOrder } from "../domain/maker-order.ts";
import { MAX_UINT256 } from "../math/full-math.ts";
import type { FirmOrderRequest } from "../quoting/maker-ports.ts";
import { addressText, amountText, decimal } from "./numbers.ts";

/** An order as its maker sent it. */
export interface AnsweredOrder {
  readonly order: MakerOrder;
  readonly signature: Hex;
}

/** Why an answer is unusable: "refused" by the maker itself, "faded" below its own level, or "invalid". */
export class UnusableAnswer extends Error {
  override readonly name = "UnusableAnswer";
  readonly kind: "refused" | "faded" | "invalid";

  constructor(kind: UnusableAnswer["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Terms of an order that the service sets, apart from tokens and amounts. */
export interface OrderTerms {
  /** Our executor. */
  readonly taker: Address;
  /** The end taker. */
  readonly trader: Address;
  /** The order has to be good until then at least, and not longer than `latest`: unix seconds. */
  readonly expiry: bigint;
  readonly latest: bigint;
  /** By how much an order may be worse than its level, parts in 10,000. Absent: by nothing. */
  readonly toleranceBps?: bigint;
}

const BPS = 10_000n;

/** The contract's bound on signatures, in hex digits. */
const MAX_SIGNATURE = 2 * 4_096;
const MAX_UINT64 = 2n ** 64n - 1n;

const ORDER = z.object({
  maker: addressText,
  taker: addressText,
  trader: addressText,
  makerToken: addressText,
  takerToken: addressText,
  makerAmount: amountText,
  takerAmount: amountText,
  minTakerAmount: amountText,
  expiry: decimal(1n, MAX_UINT64),
  nonce: decimal(0n, MAX_UINT256),
  refillable: z.boolean(),
});

const ANSWER = z.union([
  z.object({
    order: ORDER,
    signature: z
      .string()
      .max(2 + MAX_SIGNATURE)
      .regex(/^0x([0-9a-fA-F]{2})+$/)
      .transform((text) => text.toLowerCase() as Hex),
  }),
  z.object({ declined: z.string() }),
]);

/**
 * The order in a maker's answer, compared with what it was asked for. Its signature and the maker's funds are not looked
 * at here.
 * @throws UnusableAnswer
 */
export function readOrder(body: unknown, ask: FirmOrderRequest, terms: OrderTerms): AnsweredOrder {
  if (body === undefined) throw new UnusableAnswer("refused", "it declined");
  const result = ANSWER.safeParse(body);
  if (!result.success) throw new UnusableAnswer("invalid", "the answer is no signed order");
  if ("declined" in result.data) throw new UnusableAnswer("refused", "it declined");
  const { order, signature } = result.data;
  assertAsAsked(order, ask, terms);
  return { order, signature };
}

/**
 * Holds an order against what was asked for.
 * @throws UnusableAnswer
 */
export function assertAsAsked(order: MakerOrder, ask: FirmOrderRequest, terms: OrderTerms): void {
  const fixed = { taker: terms.taker, trader: terms.trader, makerToken: ask.makerToken, takerToken: ask.takerToken };
  for (const [field, value] of Object.entries(fixed)) {
    if (order[field as keyof typeof fixed] !== value) throw new UnusableAnswer("invalid", `${field} is not as asked`);
  }
  if (order.expiry < terms.expiry) throw new UnusableAnswer("invalid", "it expires too early");
  if (order.expiry > terms.latest) throw new UnusableAnswer("invalid", "it expires too late");
  if (2n * order.minTakerAmount > order.takerAmount && order.minTakerAmount > 1n) {
    throw new UnusableAnswer("invalid", "minTakerAmount is above half of takerAmount");
  }
  const { amount, level } = ask;
  const { toleranceBps = 0n } = terms;
  const [lower, upper] = [BPS - toleranceBps, BPS + toleranceBps];
  if (amount.kind === "exactIn") {
    if (order.takerAmount !== amount.takerAmount) throw new UnusableAnswer("invalid", "takerAmount is not as asked");
    if (level !== undefined && BPS * order.makerAmount < lower * level.amount) {
      throw new UnusableAnswer("faded", "it gives less than its levels said");
    }
  } else {
    if (order.makerAmount !== amount.makerAmount) throw new UnusableAnswer("invalid", "makerAmount is not as asked");
    if (level !== undefined && BPS * order.takerAmount > upper * level.amount) {
      throw new UnusableAnswer("faded", "it takes more than its levels said");
    }
  }
}
