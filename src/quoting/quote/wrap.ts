import { type Address, type Hex, NATIVE_TOKEN, ZERO_ADDRESS } from "../../domain/address.ts";
import { refuse } from "../../domain/errors/swap-error.ts";
import type { Ratio } from "../../domain/ratio.ts";
import { NO_TAX } from "../../domain/token-verdict.ts";
import { estimatedGas, type GasEstimate } from "../answer/gas.ts";
import { findIssues } from "../answer/issues.ts";
import { exclusionOf } from "../answer/route-limits.ts";
import { givenAmountOf, type PriceAnswer, type QuoteAnswer, type SwapRequest } from "../answer/types.ts";
import { networkFeeOf } from "../cost/data-fee.ts";
import type { SwapTerms, SwapTransaction } from "../ports.ts";
import { nativeRates } from "../price/price-answer.ts";
import { isWanted } from "../search/route-query.ts";
import { tokenOff } from "../search/switched-off.ts";
import type { SettleSetting } from "./settle-context.ts";

/** First four bytes of the calls of WETH9's interface. */
const DEPOSIT: Hex = "0xd0e30db0";
const WITHDRAW: Hex = "0x2e1a7d4d";

/** Gas of the whole transaction, measured with WETH9 (test/promise/wrap.test.ts). */
const DEPOSIT_GAS = 27_800n;
const WITHDRAW_GAS = 35_200n;
/** With room for a taker that holds nothing of the wrapped token yet (17,100 more), and for a contract behind a proxy. */
const DEPOSIT_LIMIT = 65_000n;
const WITHDRAW_LIMIT = 51_000n;

/** Rate of a wrap: always one. */
const ONE: Ratio = { num: 1n, den: 1n };

/** Whether a request only turns the native token into its wrapped form, or back, and may. */
export function isWrap(request: SwapRequest, { wrappedNative, sources, off, snapshot }: SettleSetting): boolean {
  const [sell, buy] = [request.sellToken.address, request.buyToken.address];
  const turns = (sell === NATIVE_TOKEN && buy === wrappedNative) || (sell === wrappedNative && buy === NATIVE_TOKEN);
  if (!turns) return false;
  const wrapper = [...sources.values()].find((source) => source.wrapsNative === true);
  if (wrapper === undefined) return false;
  requirePlainWrap(request);
  const [pool] = snapshot.graph.poolsBetween(sell, buy).filter(({ source }) => source === wrapper.id);
  const isExcluded = request.limits !== undefined && pool !== undefined && exclusionOf(request.limits)(pool);
  const isOff = off.source.has(wrapper.id) || tokenOff(request, off) !== undefined;
  return isWanted(request, wrapper.id, sources) && !isExcluded && !isOff;
}

/** @throws SwapError for what the wrapped token's own contract cannot do */
function requirePlainWrap({ recipient, taker, sellEntireBalance }: SwapRequest): void {
  const pays = "wrapping and unwrapping are calls of the wrapped token's own contract, which pays whoever sends them.";
  const found = (field: string, instead: string) =>
    ({ field, reason: "NOT_WITH_WRAPPING", description: `${field} cannot be used: ${pays} ${instead}` }) as const;
  const violations = [
    ...(recipient === undefined || recipient === taker ? [] : [found("recipient", "Leave it out.")]),
    ...(sellEntireBalance === true ? [found("sellEntireBalance", "Send the exact amount without it.")] : []),
  ];
  if (violations[0] === undefined) return;
  throw refuse("INVALID_PARAMETERS", violations[0].description, { violations });
}

/** The price of a wrap: one to one, without sources, orders, fee and approval. */
export function wrapPrice(request: SwapRequest, setting: SettleSetting): PriceAnswer {
  return wrapAnswer(request, setting, wrapGas(request));
}

/** @throws SwapError when the wrap would revert, or the node does not say what the taker has. */
export async function wrapQuote(request: SwapRequest, setting: SettleSetting): Promise<QuoteAnswer> {
  const settled = await settleWrap(request, setting);
  const needed = { token: request.sellToken.address, amount: settled.amount };
  const issues = await findIssues(setting, request.taker, needed, ZERO_ADDRESS);
  return {
    ...wrapAnswer(request, setting, settled.gas),
    guaranteedPrice: ONE,
    to: settled.transaction.to,
    data: settled.transaction.data,
    expiry: setting.deadline,
    issues: { ...issues, simulationIncomplete: settled.incomplete },
    permit: null,
    calls: [settled.transaction],
  };
}

/** Parts of a wrap's quote besides its price. */
interface SettledWrap {
  readonly amount: bigint;
  readonly transaction: SwapTransaction;
  readonly gas: GasEstimate;
  readonly incomplete: boolean;
}

/**
 * The deposit or withdrawal at the wrapped token's own contract, run on the node unless the request says otherwise.
 * @throws SwapError when it would revert.
 */
async function settleWrap(request: SwapRequest, setting: SettleSetting): Promise<SettledWrap> {
  const { simulator, accounts, snapshot, wrappedNative, deadline, deadlineMs, signal } = setting;
  const amount = givenAmountOf(request);
  const transaction = wrapTransaction(request.sellToken.address, amount, wrappedNative);
  const modelled = { amount, transaction, gas: wrapGas(request) };
  if (request.skipValidation) return { ...modelled, incomplete: false };
  const outcome = await simulator.simulate({
    transaction,
    taker: request.taker,
    terms: wrapTerms(request, deadline),
    allowanceTarget: ZERO_ADDRESS,
    avoidHolders: [wrappedNative],
    at: snapshot.block,
    deadlineMs,
    signal,
    accounts,
  });
  switch (outcome.kind) {
    case "incomplete":
      return { ...modelled, gas: estimatedGas(outcome.gasLimit, modelled.gas), incomplete: true };
    case "done":
      return { ...modelled, gas: { expected: outcome.gasUsed, limit: outcome.gasLimit }, incomplete: false };
    case "reverted":
      throw refuse("TRANSACTION_REVERTS", `the transaction would fail: ${outcome.reason}`);
  }
}

/** The deposit that wraps the native token, or the withdrawal where its wrapped form is sold. */
export function wrapTransaction(sellToken: Address, amount: bigint, wrappedNative: Address): SwapTransaction {
  if (sellToken === NATIVE_TOKEN) return { to: wrappedNative, data: DEPOSIT, value: amount };
  return { to: wrappedNative, data: withdrawal(amount), value: 0n };
}

function withdrawal(amount: bigint): Hex {
  return `${WITHDRAW}${amount.toString(16).padStart(64, "0")}`;
}

/** There is nothing to slip: least and most are the amount itself. */
function wrapTerms(request: SwapRequest, deadline: bigint): SwapTerms {
  const amount = givenAmountOf(request);
  return {
    sellToken: request.sellToken.address,
    buyToken: request.buyToken.address,
    maxSellAmount: amount,
    minBuyAmount: amount,
    recipient: ZERO_ADDRESS,
    deadline,
  };
}

function wrapGas(request: SwapRequest): GasEstimate {
  return request.sellToken.address === NATIVE_TOKEN
    ? { expected: DEPOSIT_GAS, limit: DEPOSIT_LIMIT }
    : { expected: WITHDRAW_GAS, limit: WITHDRAW_LIMIT };
}

function wrapAnswer(request: SwapRequest, setting: SettleSetting, used: GasEstimate): PriceAnswer {
  const { snapshot, gasPrice, wrappedNative, settlement } = setting;
  const amount = givenAmountOf(request);
  // A deposit has less calldata: both are valued as the withdrawal.
  const bytes = settlement.transactionBytes(withdrawal(amount));
  const { gas, total } = networkFeeOf(snapshot, used, gasPrice, bytes);
  return {
    chainId: snapshot.chainId,
    block: snapshot.block,
    sellToken: request.sellToken,
    buyToken: request.buyToken,
    taxes: { sellToken: NO_TAX, buyToken: NO_TAX },
    price: ONE,
    estimatedPriceImpact: { num: 0n, den: 1n },
    expectedSlippage: 0n,
    slippage: request.slippage,
    value: request.sellToken.address === NATIVE_TOKEN ? amount : 0n,
    gasPrice,
    gas: gas.limit,
    estimatedGas: gas.expected,
    buyAmount: amount,
    sellAmount: amount,
    grossBuyAmount: amount,
    grossSellAmount: amount,
    minBuyAmount: amount,
    maxSellAmount: amount,
    totalNetworkFee: total,
    sources: [],
    orders: [],
    allowanceTarget: ZERO_ADDRESS,
    ...nativeRates(request, snapshot, wrappedNative),
    fees: [],
    surplus: null,
    route: { tokens: [request.sellToken, request.buyToken], fills: [] },
    optimality: null,
    ...(snapshot.overrides && { overrides: snapshot.overrides }),
  };
}
