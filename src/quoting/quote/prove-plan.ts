import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from "../../domain/address.ts";
import { fillsOf, type Route } from "../../domain/route.ts";
import { STAND_IN } from "../../domain/stand-in.ts";
import { partsOf } from "../../domain/terms/swap-fee.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { taxOf } from "../../market/taxed-pools.ts";
import { gasComingDue } from "../../pools/pool-use-gas.ts";
import type { GasEstimate } from "../answer/gas.ts";
import type { SourceCatalog } from "../answer/route-view.ts";
import { feesOn, feesOnSold } from "../cost/amounts.ts";
import type { AccountNotes, Settlement, SimulatedAmounts, Simulator, SwapTerms, SwapTransaction } from "../ports.ts";
import { type Plan, transactionOf } from "../price/plan.ts";
import { isSoldByName } from "../search/named-amounts.ts";
import { deviatingSide, type Tolerance, toleranceOf } from "./deviations.ts";
import { evaluateOver } from "./evaluate-over.ts";
import { ordersOn } from "./firm-orders.ts";
import { holdersOn } from "./tested-tokens.ts";

/** Outcome of running a plan's transaction on the node. */
export type Proof =
  /** It did to the wei what the plan says, or where it was run later what time may have made of that. */
  | { readonly kind: "proven"; readonly gas: GasEstimate }
  /** It could not be run. */
  | {
      readonly kind: "unproven";
      readonly reason: string;
      /** A limit by the node's own estimate, where there is one. */
      readonly gasLimit?: bigint | undefined;
    }
  /** It fails for this taker or recipient; where these have no part in it the same route does what it should. */
  | { readonly kind: "takerFails"; readonly reason: string }
  /** The route itself fails, whoever takes it. */
  | { readonly kind: "routeFails"; readonly reason: string };

export interface ProofSetting {
  readonly simulator: Simulator;
  /** Reader of the balances and approvals of the taker; absent: the node is asked. */
  readonly accounts?: AccountNotes;
  readonly settlement: Settlement;
  readonly snapshot: Snapshot;
  readonly sources: SourceCatalog;
  /** When the caller stops waiting, milliseconds since 1970. */
  readonly deadlineMs?: number | undefined;
  /** Aborted when it has left. */
  readonly signal: AbortSignal;
}

/**
 * Runs a plan's transaction at its block. When that fails, the same route is run from a stand-in without fee: one
 * caller's odd token, recipient or blacklisting says nothing about the pools. Nobody but the taker can fill a maker's order:
 * it then sends the transaction all the same, and a stand-in is paid.
 */
export async function prove(
  plan: Plan,
  transaction: SwapTransaction,
  taker: Address | undefined,
  setting: ProofSetting,
): Promise<Proof> {
  const { route, terms } = plan;
  const fault = await run(unsigned({ route, terms, transaction, taker }, setting), setting);
  if (fault.kind !== "fails") return withUnseen(fault, terms, setting);
  const isNeutral = taker === undefined && terms.recipient === ZERO_ADDRESS;
  if (isNeutral && terms.fee === undefined && terms.surplus === undefined)
    return { kind: "routeFails", reason: fault.reason };
  const bound = ordersOn(route, setting.snapshot.graph).length > 0;
  const neutral = {
    route,
    terms: neutralTerms(plan),
    transaction: transactionOf(route, neutralTerms(plan), setting),
    taker: bound ? taker : undefined,
  };
  const again = await run(neutral, setting);
  if (again.kind === "fails") return { kind: "routeFails", reason: again.reason };
  // The route does what it should for anybody: the token spares this one.
  if (fault.spared !== undefined) return withUnseen({ kind: "proven", gas: fault.spared }, terms, setting);
  return { kind: "takerFails", reason: fault.reason };
}

/** Attempt that replaces a signature nobody has made yet by an allowance in the run. */
function unsigned(attempt: Attempt, setting: ProofSetting): Attempt {
  const { signed, ...terms } = attempt.terms;
  if (signed === undefined) return attempt;
  return { ...attempt, terms, transaction: transactionOf(attempt.route, terms, setting) };
}

/** A run by an allowance at the quote's block, with what it does not show: a signature, and the payment of surplus. */
function withUnseen(run: Exclude<Run, { kind: "fails" }>, terms: SwapTerms, { settlement }: ProofSetting): Proof {
  const { expected, limit } = settlement.unseenGas(terms);
  if (run.kind === "unproven") return { ...run, gasLimit: run.gasLimit && run.gasLimit + limit };
  return { ...run, gas: { expected: run.gas.expected + expected, limit: run.gas.limit + limit } };
}

/**
 * The terms without fee and share of surplus: the bought amount is then what the route pays out, and the least is left as it was. Whoever sends
 * the transaction gets nothing of it, no native token back either: no code of its own is called.
 */
function neutralTerms({ terms: { fee, surplus: _, signed: __, wholeBalance: ___, ...terms }, route }: Plan): SwapTerms {
  const isExact = terms.sellToken === NATIVE_TOKEN || (fee?.fromSold === true && route.kind === "exactIn");
  const most = isExact ? route.sellAmount : terms.maxSellAmount;
  return { ...terms, recipient: STAND_IN, maxSellAmount: most };
}

type Run =
  | Extract<Proof, { kind: "proven" | "unproven" }>
  | {
      readonly kind: "fails";
      readonly reason: string;
      /** Gas of a run that only paid more of a taxed token than was promised. */
      readonly spared?: GasEstimate;
    };

/** One run: a route's transaction under its terms, and who sends it. */
interface Attempt {
  readonly route: Route;
  readonly terms: SwapTerms;
  readonly transaction: SwapTransaction;
  readonly taker: Address | undefined;
}

async function run(attempt: Attempt, setting: ProofSetting): Promise<Run> {
  const { route, terms, transaction, taker } = attempt;
  const { simulator, accounts, settlement, snapshot, sources, deadlineMs, signal } = setting;
  const leeway = {
    ...toleranceOf(route, snapshot.graph, sources),
    roundsSold: isSoldByName(snapshot.graph, route.sellToken),
  };
  const differs = (ran: SimulatedAmounts, by: Tolerance) => differenceInTime(ran, attempt, by, snapshot);
  const outcome = await simulator.simulate({
    transaction,
    taker,
    terms,
    allowanceTarget: settlement.allowanceTarget,
    avoidHolders: holdersOn(route),
    at: snapshot.block,
    mostGas: snapshot.mostGas,
    deadlineMs,
    signal,
    isExpected: (ran) => differs(ran, leeway) === undefined,
    ...(accounts && { accounts }),
  });
  const due = comingDue(route, terms, snapshot);
  const withDue = (limit: bigint) => (limit + due < snapshot.mostGas ? limit + due : snapshot.mostGas);
  switch (outcome.kind) {
    case "incomplete":
      // More than the model's limit, which fits: some contract on the route takes gas that it should not.
      if (outcome.needsMoreGas && settlement.gasLimit(route, terms, snapshot.graph.pool) <= snapshot.mostGas)
        return { kind: "fails", reason: outcome.reason };
      return { kind: "unproven", reason: outcome.reason, gasLimit: outcome.gasLimit && withDue(outcome.gasLimit) };
    case "reverted":
      return { kind: "fails", reason: `${outcome.reason}${settlement.revertLocation(outcome.data, route)}` };
    case "done": {
      const reason = differs(outcome, leeway);
      const gas = { expected: outcome.gasUsed, limit: withDue(outcome.gasLimit) };
      if (reason === undefined) return { kind: "proven", gas };
      const onlyMore = differs(outcome, { ...leeway, takesDonations: true }) === undefined;
      const isSpared = onlyMore && taxOf(snapshot.graph, route.buyToken) !== undefined;
      return { kind: "fails", reason, ...(isSpared && { spared: gas }) };
    }
  }
}

/** Gas that time alone may add until the deadline. */
function comingDue(route: Route, { deadline }: SwapTerms, { graph }: Snapshot): bigint {
  const pools = new Set(fillsOf(route).map(({ poolId }) => poolId));
  return [...pools].reduce((sum, id) => {
    const pool = graph.pool(id);
    return pool === undefined ? sum : sum + gasComingDue(pool, graph.time, deadline);
  }, 0n);
}

/** Difference between a transaction that ran and its route, as it is or as its pools have it at the time of a run that came later. */
function differenceInTime(
  ran: SimulatedAmounts,
  attempt: Attempt,
  leeway: Tolerance,
  { graph, block }: Snapshot,
): string | undefined {
  const asPromised = difference(ran, attempt, leeway);
  if (asPromised === undefined || !leeway.moves || ran.secondsLater === 0n) return asPromised;
  const later = evaluateOver(attempt.route, ({ poolId }) => graph.pool(poolId), block.timestamp + ran.secondsLater);
  if ("broken" in later || difference(ran, { ...attempt, route: later }, leeway) !== undefined) return asPromised;
  return undefined;
}

/** Difference between a transaction that ran and its route. */
function difference(
  outcome: SimulatedAmounts,
  { route, terms, taker }: Attempt,
  leeway: Tolerance,
): string | undefined {
  const { fee, maxSellAmount } = terms;
  const payee = terms.recipient === ZERO_ADDRESS ? taker : terms.recipient;
  // A payee or payer that takes a part of the fee gets that on top.
  const othersPart = (amounts: readonly bigint[], own: Address | undefined) =>
    partsOf(fee).reduce((sum, { recipient }, at) => (recipient === own ? sum : sum + (amounts[at] ?? 0n)), 0n);
  const isSold = fee?.fromSold === true;
  const bought = route.buyAmount - (isSold ? 0n : othersPart(feesOn(route.buyAmount, fee), payee));
  const sold = route.sellAmount + (isSold ? othersPart(feesOnSold(route.sellAmount, maxSellAmount, fee), taker) : 0n);
  const broken = deviatingSide(outcome, { bought, sold }, { ...leeway, secondsLater: outcome.secondsLater });
  if (broken === "bought") return `the transaction pays ${outcome.bought} instead of ${bought}`;
  return broken && `the transaction takes ${outcome.sold} instead of ${sold}`;
}
