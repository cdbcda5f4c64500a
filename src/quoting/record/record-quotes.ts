import { keccak256 } from "viem/utils";
import { ZERO_ADDRESS } from "../../domain/address.ts";
import type { LoggedQuote } from "../../domain/terms/logged-quote.ts";
import type { CallContext, QuoteAnswer, Quoting, SwapRequest } from "../answer/types.ts";
import type { QuoteLog } from "./quote-log.ts";

/** Puts every quote on record before it is given out. A record that fails is told of, and holds up no quote. */
export function logQuotes(
  quoting: Quoting,
  log: Pick<QuoteLog, "record">,
  options: { readonly now: () => number; readonly onFault: (error: unknown) => void },
): Quoting {
  return {
    ...quoting,
    async quote(request, context) {
      const answer = await quoting.quote(request, context);
      try {
        log.record(loggedQuote(request, answer, context, options.now()));
      } catch (error) {
        options.onFault(error);
      }
      return answer;
    },
  };
}

function loggedQuote(request: SwapRequest, answer: QuoteAnswer, context: CallContext, at: number): LoggedQuote {
  const { fee } = request;
  return {
    requestId: context.requestId,
    at,
    chainId: answer.chainId,
    block: answer.block,
    taker: request.taker,
    transaction: { to: answer.to, data: answer.data, value: answer.value },
    calldataHash: keccak256(answer.data),
    allowanceTarget: answer.allowanceTarget,
    terms: {
      sellToken: answer.sellToken.address,
      buyToken: answer.buyToken.address,
      maxSellAmount: answer.maxSellAmount,
      minBuyAmount: answer.minBuyAmount,
      recipient: request.recipient ?? ZERO_ADDRESS,
      deadline: answer.expiry,
      // Wrapping takes no fee, whatever the request says.
      fee: answer.fees.length === 0 ? undefined : fee,
    },
    sellAmount: answer.sellAmount,
    buyAmount: answer.buyAmount,
    route: answer.route.fills.map(({ from, to, source, pool, sellAmount, buyAmount }) => {
      return { from, to, source, pool, sellAmount, buyAmount };
    }),
    makerOrders: answer.orders.flatMap(({ type, source, fillData }) => {
      return type === 1 || type === 2 ? [{ source, ...fillData }] : [];
    }),
  };
}
