import type { SimulationOutcome } from "../../quoting/ports.ts";
import type { Funding } from "./funding.ts";
import { execute, type Run, type Running } from "./run-transaction.ts";
import { Incomplete, NeedsMoreGas, type SimulationRequest } from "./simulation-request.ts";

/** The first run of a transaction. */
export interface FirstRun {
  readonly run: Run;
  /** Gas limit that it succeeded with; undefined where it had as much as the node gives. */
  readonly gas?: bigint | undefined;
}

/** Gas that a deeper or later run may need on top, for a first write to a storage slot for example. */
const GAS_RESERVE = 25_000n;
/**
 * Tenths of a limit that the transaction has to run with. The rest is for what other transactions change before it is mined,
 * a tick to be crossed, say: what is refunded after the fact, up to a fifth of what is needed before, is no such room.
 */
const PROVEN_TENTHS = 9n;
/** Runs that a gas limit is given to prove itself, each a quarter larger. */
const MAX_PROOFS = 5;
/** A guess stays below the proof of its limit by one part in so many: another amount changes the gas a little. */
const GUESS_BELOW = 256n;

/**
 * The first run of a funded transaction. `guess`: gas that one like it has used.
 * @throws Incomplete as `execute` does
 */
export async function firstRun(
  request: SimulationRequest,
  funding: Funding,
  running: Running,
  guess?: bigint,
): Promise<FirstRun> {
  const gas = guess === undefined ? undefined : guessedGas(request, guess);
  const run = await execute(request, funding, running, gas);
  return withGasEnough(request, funding, running, { run, gas });
}

/**
 * A first run that a guessed limit has not changed. One that does with it what is expected proves the limit as well; any other is
 * made again without: lack of gas may also change what is done, and nobody sees a failure.
 * @throws Incomplete as `execute` does
 */
export async function withGasEnough(
  request: SimulationRequest,
  funding: Funding,
  running: Running,
  first: FirstRun,
): Promise<FirstRun> {
  const { run, gas } = first;
  if (gas === undefined || (run.success && request.isExpected?.(run) !== false)) return first;
  return { run: await execute(request, funding, running) };
}

/** Gas for a first run that may prove the limit, where one like it has used `guess`. */
export function guessedGas(request: SimulationRequest, guess: bigint): bigint {
  const limit = firstLimit(request, guess);
  const gas = provingGas(request, limit);
  return limit === request.mostGas ? gas : gas - gas / GUESS_BELOW;
}

/**
 * Proves a gas limit for a transaction that has run: with nine tenths of it, or with all of it where it is the most that the
 * chain allows.
 * @throws Incomplete where no limit is proven
 */
export async function provenRun(
  request: SimulationRequest,
  funding: Funding,
  running: Running,
  { run: first, gas: provenWith }: FirstRun,
): Promise<SimulationOutcome> {
  if (!first.success) return { kind: "reverted", reason: running.explainRevert(first.data), data: first.data };
  if (first.bought < 0n) throw new Incomplete("the recipient's balance fell");
  const { mostGas } = request;
  let gasLimit = firstLimit(request, first.gasUsed);
  for (let proofs = 0; proofs < MAX_PROOFS; proofs++) {
    const gas = provingGas(request, gasLimit);
    const isProven = provenWith !== undefined && provenWith <= gas;
    if (isProven || isSame(await execute(request, funding, running, gas), first)) {
      const { gasUsed, bought, sold, secondsLater } = first;
      return { kind: "done", gasUsed, gasLimit, bought, sold, secondsLater };
    }
    if (gasLimit === mostGas) throw new NeedsMoreGas(`it needs more than the ${gasLimit} gas it may have`);
    gasLimit = atMost(mostGas, (gasLimit * 5n) / 4n);
  }
  throw new Incomplete("no gas limit was found that the transaction runs with");
}

function isSame(proof: Run, first: Run): boolean {
  return proof.success && proof.bought === first.bought && proof.sold === first.sold;
}

/** Gas of the run that proves a limit. */
function provingGas({ mostGas }: SimulationRequest, gasLimit: bigint): bigint {
  return gasLimit === mostGas ? gasLimit : (gasLimit * PROVEN_TENTHS) / 10n;
}

/** A first limit for what a run has used, or needs. */
export function firstLimit({ mostGas }: SimulationRequest, gas: bigint): bigint {
  return atMost(mostGas, (gas * 5n) / 4n + GAS_RESERVE);
}

function atMost(most: bigint | undefined, gas: bigint): bigint {
  return most !== undefined && most < gas ? most : gas;
}
