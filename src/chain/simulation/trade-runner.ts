import { type Address, type Hex, NATIVE_TOKEN } from "../../domain/address.ts";
import { STAND_IN } from "../../domain/stand-in.ts";
import type { AccountReader, TradeRun, TradeRunner } from "../../quoting/ports.ts";
import { type BlockMemory, createBlockMemory } from "../rpc/block-memory.ts";
import type { Provider } from "../rpc/provider.ts";
import { isExecutionFailure, MalformedAnswerError, RpcError, reasonOf } from "../rpc/provider-errors.ts";
import { type BalanceSlots, createBalanceSlots, type StateOverrides } from "./balance-slot.ts";
import { createFunding } from "./funding.ts";
import { execute } from "./run-transaction.ts";
import { createSimulateCalls } from "./simulated-calls.ts";
import { Incomplete, limitsOf, type SimulationRequest } from "./simulation-request.ts";
import { type ProbeCall, probeCall, probeOutcome } from "./trade-probe.ts";

/** The means by which a node may run a transaction without sending it, the best first: eth_simulateV1 alone tells the gas. */
export const RUN_METHODS = ["eth_simulateV1", "eth_call", "debug_traceCall"] as const;

export type RunMethod = (typeof RUN_METHODS)[number];

/** A runner that says how it works. */
export interface NodeTradeRunner extends TradeRunner {
  /** The method that ran the last transaction; undefined before there was one. */
  readonly method: () => RunMethod | undefined;
}

type Way = (request: SimulationRequest) => Promise<TradeRun>;

/**
 * Runs transactions of the stand-in on a node, by the first of `methods` that it has. What is sold comes by a storage override
 * that `balanceOf` confirms, or with eth_simulateV1 from a holder outside the route as well.
 */
export function createTradeRunner(options: {
  readonly provider: Provider;
  readonly accounts: AccountReader;
  readonly memory?: BlockMemory;
  /** Explains revert data in words. */
  readonly explainRevert: (data: Hex) => string;
  /** Contracts that hold a token, for lending it. */
  readonly holdersOf?: (token: Address) => Iterable<Address>;
  readonly methods?: readonly RunMethod[];
}): NodeTradeRunner {
  const { provider, methods = RUN_METHODS, explainRevert } = options;
  const slots = createBalanceSlots(provider, options.memory ?? createBlockMemory());
  const ways: Readonly<Record<RunMethod, Way>> = {
    eth_simulateV1: simulating(options, slots),
    eth_call: probing("eth_call", provider, slots, explainRevert),
    debug_traceCall: probing("debug_traceCall", provider, slots, explainRevert),
  };
  let working: RunMethod | undefined;

  async function runBy(method: RunMethod, request: SimulationRequest): Promise<TradeRun> {
    const run = await ways[method](request);
    working = method;
    return run;
  }

  return {
    method: () => working,
    async run(asked) {
      const request = { ...asked, taker: undefined };
      const refusals: string[] = [];
      for (const method of working === undefined ? methods : [working]) {
        try {
          return await runBy(method, request);
        } catch (error) {
          const lacks =
            (error instanceof RpcError && !isExecutionFailure(error)) || error instanceof MalformedAnswerError;
          if (!lacks) return { kind: "incomplete", reason: reasonOf(error) };
          refusals.push(`${method}: ${reasonOf(error)}`);
        }
      }
      return { kind: "incomplete", reason: refusals.join("; ") };
    },
  };
}

/** By eth_simulateV1. */
function simulating(options: Parameters<typeof createTradeRunner>[0], slots: BalanceSlots): Way {
  const { provider, accounts, explainRevert, holdersOf } = options;
  const simulateCalls = createSimulateCalls(provider);
  const fund = createFunding({ accounts, simulateCalls, slots, holdersOf });
  const running = { simulateCalls, explainRevert };
  return async (request) => {
    const run = await execute(request, await fund(request), running);
    if (!run.success) return { kind: "reverted", reason: explainRevert(run.data), data: run.data };
    const { bought, sold, gasUsed, secondsLater } = run;
    return { kind: "done", bought, sold, gasUsed, secondsLater };
  };
}

/** By a call of the probe, which stands at the stand-in's address for its time. */
function probing(
  method: ProbeCall["method"],
  provider: Provider,
  slots: BalanceSlots,
  explainRevert: (data: Hex) => string,
): Way {
  async function fundedBy({ terms, at, ...request }: SimulationRequest): Promise<StateOverrides> {
    if (terms.sellToken === NATIVE_TOKEN) return {};
    const account = { token: terms.sellToken, owner: STAND_IN };
    const funded = await slots.fund(account, terms.maxSellAmount, at, limitsOf({ terms, at, ...request }));
    if (funded === undefined) throw new Incomplete("the sold token could not be lent to the sender");
    return funded;
  }

  return async (request) => {
    const { params } = probeCall(method, request, await fundedBy(request));
    const answer = await provider.request(method, params, limitsOf(request)).catch((error: unknown) => {
      if (error instanceof RpcError && isExecutionFailure(error))
        throw new Incomplete("a token did not tell a balance");
      throw error;
    });
    const outcome = probeOutcome(method, answer, request);
    if (!outcome.succeeded) return { kind: "reverted", reason: explainRevert(outcome.answer), data: outcome.answer };
    return {
      kind: "done",
      bought: outcome.boughtAfter - outcome.boughtBefore,
      sold: outcome.held - outcome.heldAfter,
      secondsLater: outcome.time - request.at.timestamp,
    };
  };
}
