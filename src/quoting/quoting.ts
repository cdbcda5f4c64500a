import { type Address, ZERO_ADDRESS } from "../domain/address.ts";

import { fillsOf, type PoolId } from "../domain/route.ts";
import { SwapError } from "../domain/swap-error.ts";
import type { Router, SearchBudget } from "../routing/router.ts";
import {
  type CallContext,
  FRACTION_ONE,
  type PriceAnswer,
  type QuoteAnswer,
  type Quoting,
  type SwapRequest,
} from "./answers.ts";
import { type GasEstimate, modelledGas } from "./gas.ts";
import { findIssues } from "./issues.ts";
import { listSources } from "./list-sources.ts";
import { isModelled, type Plan, planOf, transactionOf } from "./plan.ts";
import type { AccountReader, MarketView, Settlement, Simulator, SwapTransaction, TokenRegistry } from "./ports.ts";
import { priceAnswer } from "./price-answer.ts";
import { formatPercent, priceImpact } from "./price-impact.ts";
import { formatPrice } from "./prices.ts";
import { type Proof, prove } from "./prove.ts";
import type { SourceCatalog } from "./route-view.ts";
import { amountField, isWanted, type SearchSetting, searchRoute } from "./search.ts";
import { isWrap, wrapAnswer, wrapGas, wrapTerms, wrapTransaction } from "./wrap.ts";

/** What the use cases work with. */
export interface QuotingParts {
  readonly market: MarketView;
  readonly tokens: TokenRegistry;
  readonly sources: SourceCatalog;
  readonly router: Router;
  readonly settlement: Settlement;
  readonly simulator: Simulator;
  readonly accounts: AccountReader;
  readonly config: {
    readonly wrappedNative: Address;
    /** Seconds from the quoted block's timestamp to the transaction's deadline. */
    readonly quoteTtlSeconds: number;
    readonly budget: Omit<SearchBudget, "expired">;
  };
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** How many routes are tried for one quote: the best, and after each that fails on the node the next best. */
const ATTEMPTS = 3;

/** A plan with its transaction and gas; `incomplete` when it could not be run on the node. */
interface Settled {
  readonly plan: Plan;
  readonly transaction: SwapTransaction;
  readonly gas: GasEstimate;
  readonly incomplete: boolean;
}

/** Price, quote and sources over the given parts. Each call works on one snapshot from beginning to end. */
export function createQuoting(parts: QuotingParts): Quoting {
  const { market, sources, router, settlement, simulator, accounts, config } = parts;
  const { wrappedNative } = config;

  function begin(request: SwapRequest, context: CallContext): SearchSetting {
    if (context.signal.aborted) throw new SwapError("DEADLINE_EXCEEDED", "the deadline has passed");
    const now = market.current();
    if ("unavailable" in now) throw new SwapError("UNAVAILABLE", now.unavailable, { retryAfterSeconds: 1 });
    const { snapshot } = now;
    const deadline = context.deadlineMs ?? Number.POSITIVE_INFINITY;
    return {
      router,
      sources,
      snapshot,
      gasPrice: request.gasPrice ?? snapshot.gasPrice,
      budget: { ...config.budget, expired: () => parts.now() > deadline },
    };
  }

  function deadlineOf({ snapshot }: SearchSetting): bigint {
    return snapshot.block.timestamp + BigInt(config.quoteTtlSeconds);
  }

  function wrapsOnly(request: SwapRequest): boolean {
    const wrapper = [...sources.values()].find((source) => source.kind === "wrapper");
    return wrapper !== undefined && isWrap(request, wrappedNative) && isWanted(request, wrapper.id, sources);
  }

  function encode(plan: Plan, setting: SearchSetting): SwapTransaction {
    return transactionOf(plan.route, plan.terms, settlement, setting.snapshot, sources);
  }

  function tryOut(
    plan: Plan,
    transaction: SwapTransaction,
    request: SwapRequest,
    setting: SearchSetting,
  ): Promise<Proof> {
    return prove(plan, transaction, request.taker, { simulator, settlement, snapshot: setting.snapshot, sources });
  }

  function answerOf(request: SwapRequest, plan: Plan, gas: GasEstimate, setting: SearchSetting): Promise<PriceAnswer> {
    const { snapshot, gasPrice } = setting;
    const { allowanceTarget } = settlement;
    const { tokens } = parts;
    return priceAnswer({ request, plan, snapshot, gas, gasPrice, allowanceTarget, wrappedNative, sources, tokens });
  }

  /** Gas of a price: run on the node where that is asked for and works, else by the model. */
  async function gasOfPrice(request: SwapRequest, plan: Plan, setting: SearchSetting): Promise<GasEstimate> {
    const asked = request.taker !== undefined || !request.skipValidation;
    if (asked && settlement.deployed) {
      const proof = await tryOut(plan, encode(plan, setting), request, setting);
      if (proof.kind === "proven") return proof.gas;
    }
    return modelledGas(settlement.gas(plan.route, plan.terms));
  }

  async function price(request: SwapRequest, context: CallContext): Promise<PriceAnswer> {
    const setting = begin(request, context);
    if (wrapsOnly(request)) {
      return wrapAnswer(request, setting.snapshot, wrapGas(request), setting.gasPrice, wrappedNative);
    }
    const plan = planOf(request, searchRoute(request, setting, new Set()), deadlineOf(setting));
    return answerOf(request, plan, await gasOfPrice(request, plan, setting), setting);
  }

  async function quote(request: SwapRequest, context: CallContext): Promise<QuoteAnswer> {
    const setting = begin(request, context);
    if (wrapsOnly(request)) return quoteWrap(request, setting);
    if (!settlement.deployed) {
      const message = "the settlement contracts are not deployed on this chain: prices work, quotes do not";
      throw new SwapError("SETTLEMENT_NOT_DEPLOYED", message, { retryAfterSeconds: 60 });
    }
    const { plan, transaction, gas, incomplete } = await settle(request, context, setting);
    const answer = await answerOf(request, plan, gas, setting);
    const needed = { token: request.sellToken.address, amount: plan.deal.maxSellAmount };
    const { deal } = plan;
    return {
      ...answer,
      guaranteedPrice:
        request.amount.kind === "exactIn"
          ? formatPrice(request.sellToken, deal.sellAmount, request.buyToken, deal.minBuyAmount)
          : formatPrice(request.sellToken, deal.maxSellAmount, request.buyToken, deal.buyAmount),
      to: transaction.to,
      data: transaction.data,
      expiry: plan.terms.deadline,
      issues: {
        ...(await findIssues(accounts, request.taker, needed, settlement.allowanceTarget, setting.snapshot.block)),
        simulationIncomplete: incomplete,
      },
    };
  }

  /**
   * The best route whose transaction does on the node what it promises. One that fails there, whoever sends it, is
   * left for the next best, and its pools are read again.
   */
  async function settle(request: SwapRequest, context: CallContext, setting: SearchSetting): Promise<Settled> {
    const without = new Set<PoolId>();
    let failure: SwapError | undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const plan = nextPlan(request, setting, without, failure);
      limitImpact(request, plan, setting);
      const transaction = encode(plan, setting);
      const modelled = modelledGas(settlement.gas(plan.route, plan.terms));
      if (request.skipValidation && !isModelled(plan.route, sources)) {
        return { plan, transaction, gas: modelled, incomplete: false };
      }
      const proof = await tryOut(plan, transaction, request, setting);
      if (context.signal.aborted) throw new SwapError("DEADLINE_EXCEEDED", "the deadline has passed");
      if (proof.kind === "proven") return { plan, transaction, gas: proof.gas, incomplete: false };
      if (proof.kind === "unproven") return { plan, transaction, gas: modelled, incomplete: true };
      failure = new SwapError("TRANSACTION_REVERTS", `the transaction would fail: ${proof.reason}`);
      if (proof.kind === "takerFails") throw failure;
      const pools = fillsOf(plan.route).map((fill) => fill.poolId);
      market.recheck(pools);
      for (const pool of pools) if (!isWrapperPool(pool, setting)) without.add(pool);
    }
    throw failure;
  }

  function isWrapperPool(id: PoolId, { snapshot }: SearchSetting): boolean {
    const pool = snapshot.graph.pool(id);
    return pool !== undefined && sources.get(pool.source)?.kind === "wrapper";
  }

  /** The best plan without the pools that failed; when none is left, the failure that emptied the market. */
  function nextPlan(
    request: SwapRequest,
    setting: SearchSetting,
    without: ReadonlySet<PoolId>,
    failure: SwapError | undefined,
  ): Plan {
    try {
      return planOf(request, searchRoute(request, setting, without), deadlineOf(setting));
    } catch (error) {
      if (failure !== undefined && error instanceof SwapError) throw failure;
      throw error;
    }
  }

  async function quoteWrap(request: SwapRequest, setting: SearchSetting): Promise<QuoteAnswer> {
    const { snapshot, gasPrice } = setting;
    const transaction = wrapTransaction(request, wrappedNative);
    const terms = wrapTerms(request, deadlineOf(setting));
    let gas = wrapGas(request);
    let incomplete = false;
    if (!request.skipValidation) {
      const simulation = { transaction, taker: request.taker, terms, allowanceTarget: ZERO_ADDRESS };
      const outcome = await simulator.simulate({ ...simulation, avoidHolders: [wrappedNative], at: snapshot.block });
      if (outcome.kind === "done") gas = { expected: outcome.gasUsed, limit: outcome.gasLimit };
      else if (outcome.kind === "incomplete") incomplete = true;
      else throw new SwapError("TRANSACTION_REVERTS", `the transaction would fail: ${outcome.reason}`);
    }
    const needed = { token: request.sellToken.address, amount: terms.maxSellAmount };
    return {
      ...wrapAnswer(request, snapshot, gas, gasPrice, wrappedNative),
      guaranteedPrice: "1",
      to: transaction.to,
      data: transaction.data,
      expiry: terms.deadline,
      issues: {
        ...(await findIssues(accounts, request.taker, needed, ZERO_ADDRESS, snapshot.block)),
        simulationIncomplete: incomplete,
      },
    };
  }

  return { price, quote, listSources: () => listSources(sources, market.sources()) };
}

/**
 * Holds the caller's own limit on price impact against a plan. A limit cannot be held against an impact that is unknown.
 * @throws SwapError PRICE_IMPACT_TOO_HIGH with both numbers.
 */
function limitImpact(request: SwapRequest, plan: Plan, setting: SearchSetting): void {
  const limit = request.maxPriceImpact;
  if (limit === undefined || limit === FRACTION_ONE) return;
  const impact = priceImpact(plan.route, setting.snapshot.graph);
  if (impact !== undefined && impact.num * FRACTION_ONE <= limit * impact.den) return;
  const allowed = `priceImpactProtectionPercentage allows ${formatPercent({ num: limit, den: FRACTION_ONE })} %`;
  const found = impact === undefined ? "the price impact is unknown" : `the price impact is ${formatPercent(impact)} %`;
  const description = `${found}, ${allowed}; send a smaller amount or a higher limit`;
  const violation = { field: amountField(request), code: 1004, reason: "PRICE_IMPACT_TOO_HIGH", description } as const;
  throw new SwapError("PRICE_IMPACT_TOO_HIGH", description, { violations: [violation] });
}
