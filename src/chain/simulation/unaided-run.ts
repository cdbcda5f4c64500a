import { RpcError } from "../rpc/provider-errors.ts";
import { LARGEST_ALLOWANCE } from "./accounts.ts";
import { UNAIDED } from "./funding.ts";
import { type FirstRun, guessedGas } from "./proven-run.ts";
import { neededBy, type Running, runTransaction } from "./run-transaction.ts";
import { Incomplete, type SimulationRequest } from "./simulation-request.ts";

/**
 * The first run of a taker's transaction with what the taker itself has and has approved: most have what they need, and the run
 * shows it, so that the node is asked once. Undefined where the taker lacks something, or the node does not run it.
 * @param guess gas that a transaction like it has used
 */
export async function unaidedRun(
  request: SimulationRequest,
  running: Running,
  guess?: bigint,
): Promise<FirstRun | undefined> {
  const { taker, terms, allowanceTarget: spender, at, accounts } = request;
  if (taker === undefined) return undefined;
  const gas = guess === undefined ? undefined : guessedGas(request, guess);
  const run = await runTransaction(request, UNAIDED, running, { gas, looksAtApproval: true }).catch(
    (error: unknown) => {
      if (error instanceof RpcError || error instanceof Incomplete) return undefined;
      throw error;
    },
  );
  if (run === undefined) return undefined;
  const { had: balance, approved: allowance = LARGEST_ALLOWANCE } = run;
  const suffices = balance >= neededBy(request) && allowance >= neededBy(request);
  // Nodes that run it later only may show a balance that has grown: as an answer that counts if it suffices.
  if (suffices || run.secondsLater === 0n)
    accounts?.note({ token: terms.sellToken, owner: taker, spender }, at, { balance, allowance });
  return suffices ? { run, gas } : undefined;
}
