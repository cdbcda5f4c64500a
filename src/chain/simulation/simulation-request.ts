import { type Address, ZERO_ADDRESS } from "../../domain/address.ts";
import { STAND_IN } from "../../domain/stand-in.ts";
import type { Simulator } from "../../quoting/ports.ts";
import type { RequestOptions } from "../rpc/provider.ts";
import type { StateOverrides } from "./balance-slot.ts";

/** What a simulator is asked to run. */
export type SimulationRequest = Parameters<Simulator["simulate"]>[0];

/** Why a simulation cannot say anything. */
export class Incomplete extends Error {
  override readonly name = "Incomplete";
}

/** Who sends the transaction. */
export function senderOf({ taker }: SimulationRequest): Address {
  return taker ?? STAND_IN;
}

/** Who gets what is bought. */
export function recipientOf(request: SimulationRequest): Address {
  const { recipient } = request.terms;
  return recipient === ZERO_ADDRESS ? senderOf(request) : recipient;
}

/** How long the node may take. @throws Incomplete when nobody waits for the outcome any more: it is asked nothing further then */
export function limitsOf({ deadlineMs, signal }: SimulationRequest): RequestOptions {
  if (signal?.aborted === true) throw new Incomplete("nobody waits for the outcome any more");
  return { deadlineMs };
}

/** The contracts of a request as state overrides. */
export function codeOf({ code = [] }: Pick<SimulationRequest, "code">): StateOverrides {
  return Object.fromEntries(code.map(({ address, runtimeCode }) => [address, { code: runtimeCode }]));
}
