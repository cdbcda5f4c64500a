import { type Address, ZERO_ADDRESS } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import { refuse } from "../domain/errors/swap-error.ts";
import { fillsOf } from "../domain/route.ts";
import { ALL_ON, type SwitchedOff } from "../domain/switches.ts";
import type { CallContext, PriceAnswer, QuoteAnswer, Quoting, SwapRequest } from "./answer/answers.ts";
import type { GasEstimate } from "./answer/gas.ts";
import { findIssues } from "./answer/issues.ts";
import { listSources } from "./answer/list-sources.ts";
import type { SourceCatalog } from "./answer/route-view.ts";
import type {
  AccountReader,
  MakerDesk,
  MarketView,
  Settlement,
  Simulator,
  SwapTransaction,
  TokenRegistry,
  TokenVerdicts,
} from "./ports.ts";
import type { Plan } from "./price/plan.ts";
import { priceAnswer } from "./price/price-answer.ts";
import { formatPrice } from "./price/prices.ts";
import { withFirmOrders } from "./quote/firm-orders.ts";
import { quoteInTime } from "./quote/quote-in-time.ts";
import { neededOf, settle, settlePrice } from "./quote/settle.ts";
import type { SettleSetting } from "./quote/settle-context.ts";
import { ALL_PLAIN, admitTokens } from "./quote/tested-tokens.ts";
import { isWrap, settleWrap, wrapAnswer, wrapGas } from "./quote/wrap.ts";
import { tokenOff } from "./search/is-off.ts";
import { isWanted } from "./search/route-query.ts";
import type { RouteSearch, SearchLimits } from "./search/route-search.ts";
import { tooLate } from "./search/too-late.ts";

/** What the use cases work with. */
export interface QuotingParts {
  readonly market: MarketView;
  readonly tokens: TokenRegistry;
  readonly sources: SourceCatalog;
  readonly search: RouteSearch;
  readonly settlement: Settlement;
  readonly simulator: Simulator;
  readonly accounts: AccountReader;
  /** Which tokens move exactly; absent: all are taken to. */
  readonly verdicts?: TokenVerdicts;
  /** Whom quotes ask for firm orders; absent: nobody. */
  readonly makers?: MakerDesk;
  readonly config: {
    readonly wrappedNative: Address;
    /** Seconds from the quoted block's timestamp to the transaction's deadline. */
    readonly quoteTtlSeconds: number;
    /** Milliseconds between blocks; 0 where there are some only when there is something for them: now counts then. */
    readonly blockTimeMs?: number;
    readonly budget: SearchLimits;
  };
  /** What the operator has switched off; absent: nothing. */
  readonly switchedOff?: () => SwitchedOff;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Price, quote and sources over the given parts. Each call works on one snapshot from beginning to end. */
export function createQuoting(parts: QuotingParts): Quoting {
  const { market, tokens, sources, search, settlement, simulator, accounts, makers, config } = parts;
  const { wrappedNative } = config;
  const switchedOff = parts.switchedOff ?? (() => ALL_ON);
  const verdicts = parts.verdicts ?? ALL_PLAIN;
  const wrapper = [...sources.values()].find((source) => source.wrapsNative === true);

  /** When a quote over a block begins, in Unix seconds: what it promises lasts for a while from then. */
  function beginningOf({ timestamp }: BlockRef): bigint {
    const now = BigInt(Math.floor(parts.now() / 1_000));
    return config.blockTimeMs === 0 && now > timestamp ? now : timestamp;
  }

  function begin(request: SwapRequest, context: CallContext): SettleSetting {
    if (context.signal.aborted) throw tooLate();
    const now = market.current();
    if ("unavailable" in now) throw refuse("UNAVAILABLE", now.unavailable);
    const { snapshot } = now;
    return {
      search: search.begin(context),
      sources,
      settlement,
      simulator,
      snapshot,
      recheck: market.recheck,
      ...(makers && { makers }),
      gasPrice: request.gasPrice ?? snapshot.gasPrice,
      off: switchedOff(),
      verdicts,
      tokens,
      budget: config.budget,
      deadlineMs: context.deadlineMs,
      ...(context.knownGas && { knownGas: context.knownGas }),
      signal: context.signal,
      deadline: beginningOf(snapshot.block) + BigInt(config.quoteTtlSeconds),
    };
  }

  function wrapsOnly(request: SwapRequest, { off }: SettleSetting): boolean {
    if (wrapper === undefined || !isWrap(request, wrappedNative)) return false;
    return (
      isWanted(request, wrapper.id, sources) && !off.source.has(wrapper.id) && tokenOff(request, off) === undefined
    );
  }

  function answerOf(
    request: SwapRequest,
    plan: Plan,
    gas: GasEstimate,
    setting: SettleSetting,
    transaction?: SwapTransaction,
  ): Promise<PriceAnswer> {
    const { snapshot, gasPrice } = setting;
    const { allowanceTarget } = settlement;
    const calldataBytes = transaction
      ? transaction.data.length / 2 - 1
      : settlement.calldataBytes(plan.route, fillsOf(plan.route), (id) => snapshot.graph.pool(id));
    return priceAnswer({
      ...{ request, plan, snapshot, gas, gasPrice, calldataBytes, allowanceTarget, wrappedNative, sources, tokens },
    });
  }

  async function price(request: SwapRequest, context: CallContext): Promise<PriceAnswer> {
    const setting = begin(request, context);
    const { snapshot, gasPrice } = setting;
    if (wrapsOnly(request, setting)) return wrapAnswer(request, snapshot, wrapGas(request), gasPrice, wrappedNative);
    await admitTokens(request, setting);
    const { plan, gas } = await settlePrice(request, setting);
    return answerOf(request, plan, gas, setting);
  }

  async function settleQuote(request: SwapRequest, context: CallContext): Promise<QuoteAnswer> {
    const begun = begin(request, context);
    if (wrapsOnly(request, begun)) return quoteWrap(request, begun);
    if (settlement.deployed === undefined) {
      throw refuse("UNAVAILABLE", "the settlement contracts are being looked for - try again");
    }
    if (!settlement.deployed) {
      const message = "the settlement contracts are not deployed on this chain: prices work, quotes do not";
      throw refuse("SETTLEMENT_NOT_DEPLOYED", message);
    }
    await admitTokens(request, begun);
    // When the next block is due: where blocks come seldom, an order would else be over before it is sent.
    const from = beginningOf(begun.snapshot.block) + BigInt(Math.ceil((config.blockTimeMs ?? 0) / 1_000));
    const setting = await withFirmOrders(request, context, begun, { makers, wrappedNative, from });
    const { plan, transaction, gas, incomplete } = await settle(request, context, setting);
    const { snapshot } = setting;
    const [answer, issues] = await Promise.all([
      answerOf(request, plan, gas, setting, transaction),
      findIssues(
        accounts,
        request.taker,
        neededOf(plan),
        settlement.allowanceTarget,
        snapshot.block,
        setting.deadlineMs,
      ),
    ]);
    return {
      ...answer,
      guaranteedPrice: guaranteedPrice(request, plan),
      to: transaction.to,
      data: transaction.data,
      expiry: plan.terms.deadline,
      issues: { ...issues, simulationIncomplete: incomplete },
    };
  }

  async function quoteWrap(request: SwapRequest, setting: SettleSetting): Promise<QuoteAnswer> {
    const { snapshot, gasPrice, deadline, deadlineMs } = setting;
    const settled = await settleWrap(request, setting, wrappedNative);
    const needed = { token: request.sellToken.address, amount: settled.amount };
    const issues = await findIssues(accounts, request.taker, needed, ZERO_ADDRESS, snapshot.block, deadlineMs);
    return {
      ...wrapAnswer(request, snapshot, settled.gas, gasPrice, wrappedNative),
      guaranteedPrice: "1",
      to: settled.transaction.to,
      data: settled.transaction.data,
      expiry: deadline,
      issues: { ...issues, simulationIncomplete: settled.incomplete },
    };
  }

  function quote(request: SwapRequest, context: CallContext): Promise<QuoteAnswer> {
    const { deadlineMs = Number.POSITIVE_INFINITY } = context;
    return quoteInTime(settleQuote(request, context), () => parts.now() >= deadlineMs);
  }

  return { price, quote, listSources: () => listSources(sources, market.sources(), switchedOff()) };
}

/** The price at the worst outcome that the transaction accepts. */
function guaranteedPrice({ sellToken, buyToken }: SwapRequest, { deal }: Plan): string {
  return formatPrice(sellToken, deal.maxSellAmount, buyToken, deal.minBuyAmount);
}
