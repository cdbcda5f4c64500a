import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import { blockParameter, parseArray, parseBytes, parseObject, parseQuantity, quantityParameter } from "../rpc/codec.ts";
import type { Provider, RequestOptions } from "../rpc/provider.ts";
import { MalformedAnswerError, RpcError } from "../rpc/provider-errors.ts";
import type { StateOverrides } from "./balance-slot.ts";

/** One transaction of a simulation. No gas is paid for in it. */
export interface SimulatedCall {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
  readonly value?: bigint;
  /** Gas limit; without one, as much as the node gives. */
  readonly gas?: bigint;
}

export interface SimulatedResult {
  readonly success: boolean;
  /** Return data of the call, or its revert data. */
  readonly data: Hex;
  /** Gas as a receipt would show it: with the transaction's own 21,000, after refunds. */
  readonly gasUsed: bigint;
  /** Seconds from the block's own timestamp to the one that the call ran at. */
  readonly secondsLater: bigint;
}

/** Calls in a block of their own that comes so much later. */
export interface LaterCalls {
  readonly seconds: bigint;
  readonly calls: readonly SimulatedCall[];
}

/** Calls that are run on top of a block. */
export interface Simulation {
  readonly at: BlockRef;
  readonly calls: readonly SimulatedCall[];
  readonly overrides?: StateOverrides;
  readonly later?: LaterCalls;
}

/** Runs calls one after another, without sending them; their results, then those of `later`. */
export type SimulateCalls = (simulation: Simulation, limits?: RequestOptions) => Promise<readonly SimulatedResult[]>;

/** geth's code for a simulated block that is not later than the one before it. */
const TIMESTAMP_NOT_LATER = -38021;

/**
 * eth_simulateV1 on top of a block, at that block's own timestamp. Nodes that insist on a later one (geth) are asked
 * for the next second.
 */
export function createSimulateCalls(provider: Provider): SimulateCalls {
  let laterBy = 0n;

  async function run(
    { at, calls, overrides: stateOverrides = {}, later }: Simulation,
    limits?: RequestOptions,
  ): Promise<readonly SimulatedResult[]> {
    const moments = [laterBy, laterBy + (later?.seconds ?? 0n)] as const;
    const first = { ...blockOf(calls, at.timestamp + moments[0]), stateOverrides };
    const blockStateCalls = later === undefined ? [first] : [first, blockOf(later.calls, at.timestamp + moments[1])];
    const asked = [{ blockStateCalls, validation: false }, blockParameter(at)];
    const blocks = parseArray(await provider.request("eth_simulateV1", asked, limits), "eth_simulateV1");
    return blocks.flatMap((block, i) => {
      const results = parseArray(parseObject(block, "eth_simulateV1").calls, "eth_simulateV1");
      return results.map((result) => parseResult(result, i === 0 ? moments[0] : moments[1]));
    });
  }

  return async (simulation, limits) => {
    const { calls, later } = simulation;
    const results = await run(simulation, limits).catch((error: unknown) => {
      if (laterBy > 0n || !(error instanceof RpcError) || !isAboutTime(error)) throw error;
      laterBy = 1n;
      return run(simulation, limits);
    });
    if (results.length !== calls.length + (later?.calls.length ?? 0)) {
      throw new MalformedAnswerError("eth_simulateV1: another number of results");
    }
    return results;
  };
}

function blockOf(calls: readonly SimulatedCall[], time: bigint) {
  return {
    blockOverrides: { time: quantityParameter(time), baseFeePerGas: "0x0" },
    calls: calls.map(({ from, to, data, value, gas }) => ({
      from,
      to,
      input: data,
      ...(value === undefined ? {} : { value: quantityParameter(value) }),
      ...(gas === undefined ? {} : { gas: quantityParameter(gas) }),
    })),
  };
}

function isAboutTime(error: RpcError): boolean {
  return error.code === TIMESTAMP_NOT_LATER || /timestamp/i.test(error.message);
}

function parseResult(value: unknown, secondsLater: bigint): SimulatedResult {
  const result = parseObject(value, "eth_simulateV1");
  const success = parseQuantity(result.status, "status") === 1n;
  const returned = parseBytes(result.returnData ?? "0x", "returnData");
  const error = result.error === undefined || result.error === null ? {} : parseObject(result.error, "error");
  const data = returned === "0x" && !success && typeof error.data === "string" ? error.data : returned;
  const gasUsed = parseQuantity(result.gasUsed, "gasUsed");
  return { success, data: parseBytes(data, "returnData"), gasUsed, secondsLater };
}
