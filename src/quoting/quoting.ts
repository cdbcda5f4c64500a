import { refuse } from "../domain/errors/swap-error.ts";
import type { Ratio } from "../domain/ratio.ts";
import { fillsOf } from "../domain/route.ts";
import { ALL_ON } from "../domain/switches.ts";
import { withOrders } from "../market/indicative.ts";
import { findIssues } from "./answer/issues.ts";
import { listSources } from "./answer/list-sources.ts";
import type { CallContext, PriceAnswer, QuoteAnswer, Quoting, SwapRequest } from "./answer/types.ts";
import type { SwapTransaction } from "./ports.ts";
import type { Plan } from "./price/plan.ts";
import { priceAnswer } from "./price/price-answer.ts";
import { priceOf } from "./price/prices.ts";
import { approvalsOf, askedWithSignature, permitDomainFor, spenderOf } from "./quote/approval.ts";
import { beginningOf, type QuotingParts, settingOfCalls } from "./quote/call-setting.ts";
import { withFirmOrders } from "./quote/firm-orders.ts";
import { quoteInTime } from "./quote/quote-in-time.ts";
import { neededOf, type PricedPlan, settle, settlePrice } from "./quote/settle.ts";
import type { SettleSetting } from "./quote/settle-context.ts";
import { admitTokens, admitTokensNow } from "./quote/tested-tokens.ts";
import { isWrap, wrapPrice, wrapQuote } from "./quote/wrap.ts";
import { budgetOf } from "./search/route-query.ts";

export type { QuotingParts } from "./quote/call-setting.ts";

/** Price, quote and sources over the given parts. Each call works on one snapshot from beginning to end. */
export function createQuoting(parts: QuotingParts): Quoting {
  const { market, sources, makers, config } = parts;
  const begin = settingOfCalls(parts);

  async function price(asked: SwapRequest, context: CallContext): Promise<PriceAnswer> {
    const begun = begin(asked, context);
    if (isWrap(asked, begun)) return wrapPrice(asked, begun);
    const request = askedWithSignature(asked, context.requestId);
    const setting = await admitted(request, begun, () => begin(request, anewIn(context, market)));
    return answerOf(request, await settlePrice(request, setting), setting);
  }

  async function settleQuote(asked: SwapRequest, context: CallContext): Promise<QuoteAnswer> {
    const first = begin(asked, context);
    if (isWrap(asked, first)) return wrapQuote(asked, first);
    requireSettlement(first);
    const request = askedWithSignature(asked, context.requestId);
    const begun = await admitted(request, first, () => begin(request, anewIn(context, market)));
    const domain = await permitDomainFor(request, begun);
    // When the next block is due: where blocks come seldom, an order would else be over before it is sent.
    const from = beginningOf(begun.snapshot.block, parts) + BigInt(Math.ceil((config.blockTimeMs ?? 0) / 1_000));
    const { wrappedNative } = begun;
    const setting = await withFirmOrders(request, context, begun, { makers, wrappedNative, from });
    const settled = await settle(request, context, setting);
    const { plan, transaction, incomplete } = settled;
    const [answer, issues] = await Promise.all([
      answerOf(request, settled, setting),
      findIssues(setting, request.taker, neededOf(plan), spenderOf(request, setting.settlement)),
    ]);
    // A taker that signs a permit, or sees to approvals itself, lacks none.
    const asksForNone = request.approvalMode === "eip2612" || request.approvalMode === "none";
    const allowance = asksForNone ? null : issues.allowance;
    return {
      ...answer,
      guaranteedPrice: guaranteedPrice(request, plan),
      to: transaction.to,
      data: transaction.data,
      expiry: plan.terms.deadline,
      issues: { ...issues, allowance, simulationIncomplete: incomplete },
      ...approvalsOf(request, { transaction, terms: plan.terms, allowance, domain }, setting),
    };
  }

  function quote(request: SwapRequest, context: CallContext): Promise<QuoteAnswer> {
    const { deadlineMs = Number.POSITIVE_INFINITY } = context;
    return quoteInTime(settleQuote(request, context), () => parts.now() >= deadlineMs);
  }

  return {
    price,
    quote,
    listSources: () => listSources(sources, market.sources(), parts.switchedOff?.() ?? ALL_ON),
  };
}

/** A call to begin anew: at its block, if it keeps to one, as that is shown now. With makers only where it had some. */
function anewIn(context: CallContext, market: QuotingParts["market"]): CallContext {
  if (context.at === undefined) return context;
  const now = market.current();
  if ("unavailable" in now || now.snapshot.block.hash !== context.at.block.hash) return context;
  return { ...context, at: context.at.offers === undefined ? withOrders(now.snapshot, []) : now.snapshot };
}

/** The setting once its tokens are tested, begun anew where that has shown a tax that the market had not seen yet. */
async function admitted(
  request: SwapRequest,
  begun: SettleSetting,
  beginAnew: () => SettleSetting,
): Promise<SettleSetting> {
  if (await admitTokens(request, begun)) return begun;
  const anew = beginAnew();
  await admitTokensNow(request, anew);
  return anew;
}

/** @throws SwapError unless the contracts are known to be on the chain. */
function requireSettlement({ settlement }: SettleSetting): void {
  if (settlement.deployed === undefined) {
    throw refuse("UNAVAILABLE", "the settlement contracts are being looked for - try again");
  }
  if (settlement.deployed) return;
  const message =
    "the settlement contracts are not deployed on this chain - ask for a price, or have the operator deploy them";
  throw refuse("SETTLEMENT_NOT_DEPLOYED", message);
}

/** The answer of a plan. Without a transaction, that counts with as many bytes as it would have. */
function answerOf(
  request: SwapRequest,
  { plan, gas, transaction }: PricedPlan & { readonly transaction?: SwapTransaction },
  setting: SettleSetting,
): Promise<PriceAnswer> {
  const { snapshot, gasPrice, settlement, sources, tokens, verdicts, wrappedNative } = setting;
  const allowanceTarget = spenderOf(request, settlement);
  const transactionBytes = transaction
    ? settlement.transactionBytes(transaction.data)
    : settlement.usualTransactionBytes(plan.route, fillsOf(plan.route), snapshot.graph.pool);
  return priceAnswer({
    ...{ request, plan, snapshot, gas, gasPrice, transactionBytes, allowanceTarget, wrappedNative, sources, tokens },
    ...{ verdicts, maxHops: budgetOf(request, setting.budget).maxHops },
  });
}

/** The price at the worst outcome that the transaction accepts. */
function guaranteedPrice({ sellToken, buyToken }: SwapRequest, { amounts }: Plan): Ratio {
  return priceOf(sellToken, amounts.maxSellAmount, buyToken, amounts.minBuyAmount);
}
