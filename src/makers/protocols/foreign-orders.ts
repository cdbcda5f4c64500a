import type { MakerOrder } from "../../domain/maker-order.ts";
import { MAX_UINT128 } from "../../math/full-math.ts";
import type { FirmOrderRequest } from "../../quoting/maker-ports.ts";
import type { MakerRecord } from "../maker-record.ts";
import { assertAsAsked, type OrderTerms, UnusableAnswer } from "../order-answer.ts";
import { orderPool } from "../order-pool.ts";
import type { OrderCheck, OrderForm } from "../signed-orders.ts";
import { foreignProtocol } from "./index.ts";
import type { ForeignOrder, ForeignTerms } from "./protocol.ts";

/** Seconds by which these orders may expire sooner than those of our own protocol: such quotes are short. */
const SHORTER = 20n;
/** By how much they may be worse than levels, which are told as rounded prices and not for the very amount. */
const TOLERANCE_BPS = 50n;
/** Most bytes of a call's arguments: their words, and a contract's signature as long as one of our own protocol. */
const MAX_ARGUMENTS_BYTES = 1_024 + 4_096;

/** Question to a maker that settles orders by a contract of its own, and the reader of its answer. */
export function foreignForm(
  record: MakerRecord,
  ask: FirmOrderRequest,
  own: OrderTerms,
  { chainId }: Pick<OrderCheck, "chainId">,
): OrderForm {
  if (record.settles === undefined) throw new Error(`${record.name} has no contract of its own`);
  const { contract } = record.settles;
  const protocol = foreignProtocol(record.settles.protocol);
  const terms: ForeignTerms = {
    ...own,
    ...{ chainId, contract, expiry: own.expiry - SHORTER, toleranceBps: TOLERANCE_BPS },
  };
  return {
    question: protocol.question(ask, terms, record.ordersUrl),
    read(body) {
      const { order, call } = protocol.readOrder(body, terms);
      assertFits({ order, call });
      assertAsAsked(partOf(order, ask), ask, terms);
      if (record.accounts.length > 0 && !record.accounts.includes(order.maker)) {
        throw new UnusableAnswer("invalid", "maker is no account of its own");
      }
      if (contract === order.takerToken || contract === order.makerToken) {
        throw new UnusableAnswer("invalid", "its contract is a token of the trade");
      }
      const pool = orderPool(record.name, ask.level, { order, signature: "0x", settlement: contract, call });
      return { order, pool, spender: protocol.makerPays ? contract : undefined };
    },
  };
}

/** @throws UnusableAnswer where a payload cannot hold the order: who asked for a quote would get none at all */
function assertFits({ order: { makerAmount, takerAmount }, call }: ForeignOrder): void {
  const fits = [makerAmount, takerAmount].every((amount) => amount > 0n && amount <= MAX_UINT128);
  if (!fits) throw new UnusableAnswer("invalid", "its amounts are none of 128 bits");
  const bytes = (call.arguments.length - 2) / 2;
  if (bytes > MAX_ARGUMENTS_BYTES) throw new UnusableAnswer("invalid", `its arguments are of ${bytes} bytes`);
}

/** The order that is left of one for more than was asked for: it may be filled in part. */
function partOf(order: MakerOrder, { amount }: FirmOrderRequest): MakerOrder {
  if (amount.kind === "exactOut" || order.takerAmount <= amount.takerAmount) return order;
  const { takerAmount } = amount;
  return { ...order, takerAmount, makerAmount: (order.makerAmount * takerAmount) / order.takerAmount };
}
