import type { Address, Hex } from "../domain/address.ts";
import type { MakerOrder } from "../domain/maker-order.ts";
import { messageOf } from "../domain/message-of.ts";
import { smaller } from "../math/full-math.ts";
import type { Pool } from "../pools/pool.ts";
import type { FirmOrderContext, FirmOrderRequest } from "../quoting/maker-ports.ts";
import type { AccountReader } from "../quoting/ports.ts";
import { askPeer, REFUSES_KEY, reasonOfStatus } from "./guarded-request.ts";
import type { Maker } from "./maker.ts";
import { type AnsweredOrder, type OrderTerms, readOrder, UnusableAnswer } from "./order-answer.ts";
import { orderPool } from "./order-pool.ts";
import { foreignForm } from "./protocols/foreign-orders.ts";
import type { Question } from "./protocols/protocol.ts";
import type { AskOutcome } from "./score.ts";
import type { Signers } from "./signer.ts";

/** Facts and readers that firm orders are checked with. */
export interface OrderCheck {
  readonly chainId: number;
  /** Our executor: the taker of every order. */
  readonly executor: Address;
  /** Our OrderSettlement: fills every order. */
  readonly settlement: Address;
  /** EIP-712 digest that a maker signs. */
  readonly digestOf: (order: MakerOrder) => Hex;
  readonly signers: Signers;
  readonly accounts: AccountReader;
}

/** Result of one request for a firm order. */
export interface AskResult {
  /** "unchecked": the node did not say what the maker holds, which is no fault of the maker's. */
  readonly outcome: AskOutcome | "unchecked";
  readonly good?: GoodOrder;
  /** In a few words, for the log. */
  readonly reason?: string;
}

/** An order that passed every check by itself. */
export interface GoodOrder {
  readonly order: MakerOrder;
  readonly pool: Pool;
  /** The maker's means: what it holds and has approved of the token it sells, base units. */
  readonly funds: bigint;
}

/** Seconds that an order has to be valid for, at least and at most. */
const MIN_LIFE = 30n;
const MAX_LIFE = 3_600n;

/** Asks one maker for an order, until the occasion's signal, and checks all of it that can be checked before it is simulated. Never throws. */
export async function askMaker(
  maker: Maker,
  ask: FirmOrderRequest,
  occasion: FirmOrderContext,
  check: OrderCheck,
): Promise<AskResult> {
  const terms: OrderTerms = {
    taker: check.executor,
    trader: occasion.taker,
    expiry: occasion.from + MIN_LIFE,
    latest: occasion.from + MAX_LIFE,
  };
  const { record } = maker;
  const form =
    record.settles === undefined
      ? ownForm(maker, ask, { terms, requestId: occasion.requestId, check })
      : foreignForm(record, ask, terms, check);
  let body: unknown;
  try {
    const { url, body: text } = form.question;
    const answer = await askPeer(url, record, occasion.signal, text);
    const { status } = answer;
    const refuses = record.settles !== undefined && status >= 400 && status < 500 && status !== 429;
    if (refuses && !REFUSES_KEY.has(status)) return { outcome: "refused", reason: `HTTP ${status}` };
    if (status !== 200 && status !== 204) return { outcome: "silent", reason: reasonOfStatus(status) };
    body = answer.body;
  } catch (error) {
    return { outcome: "silent", reason: messageOf(error) };
  }
  try {
    const { pool, order, spender } = form.read(body);
    const funds = spender === undefined ? UNKNOWN_FUNDS : await fundsFor(order, spender, occasion, check);
    return { outcome: "good", good: { order, pool, funds } };
  } catch (error) {
    if (error instanceof UnusableAnswer) return { outcome: error.kind, reason: error.message };
    if (error instanceof Unfunded) return { outcome: "unfunded", reason: error.message };
    return { outcome: "unchecked" };
  }
}

class Unfunded extends Error {}

/** Funds of a maker whose contract does not tell who pays: the simulation does. */
const UNKNOWN_FUNDS = 2n ** 256n;

/** Question to one maker, and the reader of its answer. */
export interface OrderForm {
  readonly question: Question;
  /**
   * The order as a pool, and who draws what the maker gives: its funds are looked up for that.
   * @throws UnusableAnswer
   */
  read(body: unknown): { readonly order: MakerOrder; readonly pool: Pool; readonly spender: Address | undefined };
}

function ownForm(
  maker: Maker,
  ask: FirmOrderRequest,
  { terms, requestId, check }: { readonly terms: OrderTerms; readonly requestId: string; readonly check: OrderCheck },
): OrderForm {
  return {
    question: { url: maker.record.ordersUrl, body: questionOf(ask, terms, requestId, check) },
    read(body) {
      const answered = readOrder(body, ask, terms);
      const judgesItself = assertSigned(answered, maker, check);
      const { order } = answered;
      return { order, pool: poolOf(answered, judgesItself, ask, check.settlement), spender: check.settlement };
    },
  };
}

function questionOf(ask: FirmOrderRequest, terms: OrderTerms, requestId: string, check: OrderCheck): string {
  const { amount } = ask;
  return JSON.stringify({
    type: "order",
    requestId,
    chainId: check.chainId,
    settlement: check.settlement,
    taker: terms.taker,
    trader: terms.trader,
    takerToken: ask.takerToken,
    makerToken: ask.makerToken,
    ...(amount.kind === "exactIn"
      ? { takerAmount: String(amount.takerAmount) }
      : { makerAmount: String(amount.makerAmount) }),
    expiry: String(terms.expiry),
  });
}

/**
 * Whether a contract of the maker's may have to judge the signature.
 * @throws UnusableAnswer when the maker is none of the configured accounts, or nobody who may has signed for it.
 */
function assertSigned({ order, signature }: AnsweredOrder, { record }: Maker, check: OrderCheck): boolean {
  if (!record.accounts.includes(order.maker)) throw new UnusableAnswer("invalid", "maker is no account of its own");
  const signer = check.signers.signerOf(check.digestOf(order), signature, [order.maker, ...record.signers]);
  if (signer !== undefined && signer === order.maker) return false;
  // Whether the order settlement knows this signer, or asks the maker's contract, is not looked up.
  if (signer !== undefined && record.signers.includes(signer)) return record.erc1271;
  // A contract's own judgement is the simulation's to ask for.
  if (!record.erc1271) throw new UnusableAnswer("invalid", "the signature is not the maker's");
  return true;
}

/** The amount that the maker could pay at the quoted block. @throws Unfunded when that is less than its order says. */
async function fundsFor(
  { maker, makerToken, makerAmount }: MakerOrder,
  spender: Address,
  { at, deadlineMs }: Pick<FirmOrderContext, "at" | "deadlineMs">,
  { accounts }: OrderCheck,
): Promise<bigint> {
  const has = await accounts.balanceAndAllowance({ token: makerToken, owner: maker, spender }, at, deadlineMs);
  if (has.balance < makerAmount) throw new Unfunded("the maker does not hold what it sells");
  if (has.allowance < makerAmount) throw new Unfunded("the maker has not approved what it sells");
  return smaller(has.balance, has.allowance);
}

function poolOf(
  { order, signature }: AnsweredOrder,
  judgesItself: boolean,
  { source, level }: FirmOrderRequest,
  settlement: Address,
): Pool {
  return orderPool(source, level, {
    ...{ order, signature, settlement },
    ...(judgesItself && { judgesItself: true }),
  });
}
