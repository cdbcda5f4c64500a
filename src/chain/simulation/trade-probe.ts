import { type Abi, decodeFunctionResult, encodeFunctionData } from "viem";
import probe from "../../../contracts/out/TradeProbe.json" with { type: "json" };
import { type Address, type Hex, NATIVE_TOKEN } from "../../domain/address.ts";
import { STAND_IN } from "../../domain/stand-in.ts";
import { blockParameter, parseBytes, parseObject, quantityParameter } from "../rpc/codec.ts";
import { MalformedAnswerError } from "../rpc/provider-errors.ts";
import type { StateOverrides } from "./balance-slot.ts";
import { codeOf, Incomplete, recipientOf, type SimulationRequest } from "./simulation-request.ts";

const abi = probe.abi as unknown as Abi;
/**
 * Sender of the probe's call. Balancer's V3 vault takes a call from the zero address for a query and settles nothing.
 */
const CALLER = "0x7472696275746172792d70726f62652d63616c6c" as Address;
const PROBE_CODE = probe.deployedBytecode as Hex;

/** One call of the node's that runs a trade through contracts/lens/TradeProbe.sol. */
export interface ProbeCall {
  readonly method: "eth_call" | "debug_traceCall";
  readonly params: readonly unknown[];
}

/** Result of a probe: the fields of TradeProbe.Outcome. */
export interface ProbeOutcome {
  readonly held: bigint;
  readonly succeeded: boolean;
  readonly answer: Hex;
  readonly heldAfter: bigint;
  readonly boughtBefore: bigint;
  readonly boughtAfter: bigint;
  /** Unix seconds of the block that it ran in. */
  readonly time: bigint;
}

/** The call in which a stand-in with the probe's code, which `funded` gives what is sold, trades. */
export function probeCall(method: ProbeCall["method"], request: SimulationRequest, funded: StateOverrides): ProbeCall {
  const { terms, transaction, allowanceTarget } = request;
  const args = [
    {
      ...{ sellToken: terms.sellToken, maxSellAmount: terms.maxSellAmount, spender: allowanceTarget },
      ...{ buyToken: terms.buyToken, recipient: recipientOf(request) },
      ...{ to: transaction.to, value: transaction.value, data: transaction.data },
    },
  ];
  const call = { from: CALLER, to: STAND_IN, data: encodeFunctionData({ abi, functionName: "run", args }) };
  const overrides: StateOverrides = {
    ...codeOf(request),
    ...funded,
    [STAND_IN]: { code: PROBE_CODE, balance: quantityParameter(transaction.value) },
  };
  const at = blockParameter(request.at);
  return method === "eth_call"
    ? { method, params: [call, at, overrides] }
    : {
        method,
        params: [call, at, { tracer: "callTracer", tracerConfig: { onlyTopCall: true }, stateOverrides: overrides }],
      };
}

/** @throws MalformedAnswerError for what no probe answers; Incomplete where it failed, as when a token tells no balance */
export function probeOutcome(method: ProbeCall["method"], answer: unknown, request: SimulationRequest): ProbeOutcome {
  const trace = method === "eth_call" ? { output: answer } : parseObject(answer, method);
  if ("error" in trace && trace.error !== undefined) throw new Incomplete("a token did not tell a balance");
  const data = parseBytes(trace.output, method);
  let outcome: ProbeOutcome;
  try {
    outcome = decodeFunctionResult({ abi, functionName: "run", data }) as ProbeOutcome;
  } catch {
    throw new MalformedAnswerError(`${method}: the node does not run code that a state override puts there`);
  }
  const { terms, transaction } = request;
  const needed = terms.sellToken === NATIVE_TOKEN ? transaction.value : terms.maxSellAmount;
  if (outcome.held < needed) throw new Incomplete("the sender did not come to the amount that is sold");
  return outcome;
}
