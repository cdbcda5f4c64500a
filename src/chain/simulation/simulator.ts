import { type Address, type Hex, NATIVE_TOKEN } from "../../domain/address.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { Logger } from "../../ops/logger.ts";
import { createThrottle } from "../../ops/throttle.ts";
import type { AccountReader, Simulator } from "../../quoting/ports.ts";
import { type BlockMemory, createBlockMemory } from "../rpc/block-memory.ts";
import type { Clock } from "../rpc/clock.ts";
import { blockParameter, parseQuantity, quantityParameter } from "../rpc/codec.ts";
import type { Provider } from "../rpc/provider.ts";
import { RpcError, reasonOf } from "../rpc/provider-errors.ts";
import { createBalanceSlots } from "./balance-slot.ts";
import { createFunding, type Funding, UNAIDED } from "./funding.ts";
import { firstLimit, firstRun, provenRun, withGasEnough } from "./proven-run.ts";
import { SimulatedBefore } from "./simulated-before.ts";
import { createSimulateCalls } from "./simulated-calls.ts";
import { limitsOf, NeedsMoreGas, type SimulationRequest, senderOf } from "./simulation-request.ts";
import { unaidedRun } from "./unaided-run.ts";

/** Shortest time between two log lines about one reason for incomplete simulations, ms. */
const TOLD_EVERY_MS = 60_000;

/**
 * Simulates on the node with eth_simulateV1. The transaction runs between two looks at the recipient's balance. What the taker
 * lacks for it is arranged before: balance by a storage override that `balanceOf` confirms, or from a holder outside the
 * route; approval by a call of the taker. `gasLimit` is proven by a run with nine tenths of it, or with all of it where it is
 * the most that the chain allows. That is the only run where one like it was simulated before. Faults of the node are
 * "incomplete", with the limit that its own estimate (eth_estimateGas) leads to where that can be had. Why one is so is logged.
 */
export function createSimulator(options: {
  readonly provider: Provider;
  readonly accounts: AccountReader;
  /** Absent: nothing outlives this simulator's own run. */
  readonly memory?: BlockMemory;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Explains revert data in words. */
  readonly explainRevert: (data: Hex) => string;
  /** Contracts that hold a token, for lending it. */
  readonly holdersOf?: (token: Address) => Iterable<Address>;
  /** Simulations at a time; more wait their turn. */
  readonly maxInFlight?: number;
}): Simulator {
  const { provider, accounts, logger, explainRevert, holdersOf } = options;
  const simulateCalls = createSimulateCalls(provider);
  const slots = createBalanceSlots(provider, options.memory ?? createBlockMemory());
  const fund = createFunding({ accounts, simulateCalls, slots, holdersOf });
  const running = { simulateCalls, explainRevert };
  const semaphore = createSemaphore(options.maxInFlight ?? 16);
  const before = new SimulatedBefore();
  const mayLog = createThrottle(TOLD_EVERY_MS, options.clock.elapsed);

  return {
    async simulate(request) {
      const done = await semaphore();
      let funding: Funding | undefined;
      try {
        // Nodes run nothing for a sender without the native token that it sends.
        const { isFunded = request.terms.sellToken !== NATIVE_TOKEN, gasUsed } = before.like(request);
        const unaided = isFunded ? await unaidedRun(request, running, gasUsed) : undefined;
        funding = unaided === undefined ? await fund(request) : UNAIDED;
        const first =
          unaided === undefined
            ? await firstRun(request, funding, running, gasUsed)
            : await withGasEnough(request, funding, running, unaided);
        const outcome = await provenRun(request, funding, running, first);
        before.keep(request, outcome, first, funding === UNAIDED);
        return outcome;
      } catch (error) {
        const reason = reasonOf(error);
        const { sellToken, buyToken } = request.terms;
        if (request.signal?.aborted !== true && mayLog(reason))
          logger.warn({ reason, sellToken, buyToken }, "a simulation could not be run");
        const cannot = error instanceof RpcError && funding !== undefined;
        if (cannot) before.keepRefused(request);
        const gasLimit = cannot ? await estimate(request, funding!, provider) : undefined;
        return {
          ...{ kind: "incomplete", reason: messageOf(error) },
          ...(gasLimit !== undefined && { gasLimit }),
          ...(error instanceof NeedsMoreGas && { needsMoreGas: true }),
        };
      } finally {
        done();
      }
    },
  };
}

/** A limit by the node's own estimate; undefined where the sender needs calls of its own before, or it has none. */
async function estimate(
  request: SimulationRequest,
  { calls, overrides }: Funding,
  provider: Provider,
): Promise<bigint | undefined> {
  if (calls.length > 0) return undefined;
  const { to, data, value } = request.transaction;
  const call = { from: senderOf(request), to, data, value: quantityParameter(value) };
  const overriding = Object.keys(overrides).length > 0 ? [overrides] : [];
  try {
    const asked = [call, blockParameter(request.at), ...overriding];
    const least = await provider.request("eth_estimateGas", asked, limitsOf(request));
    return firstLimit(request, parseQuantity(least, "eth_estimateGas"));
  } catch {
    return undefined;
  }
}

/** Lets `most` run at a time; the answer of a turn ends it. */
function createSemaphore(most: number): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let running = 0;
  const done = () => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async () => {
    if (running < most) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return done;
  };
}
