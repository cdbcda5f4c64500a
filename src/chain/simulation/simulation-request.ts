import { type Address, ZERO_ADDRESS } from "../../domain/address.ts";
import { STAND_IN } from "../../domain/stand-in.ts";
import type { Simulator } from "../../quoting/ports.ts";
import type { RequestOptions } from "../rpc/provider.ts";
import type { StateOverrides } from "./balance-slot.ts";

/** Arguments of `Simulator.simulate`. */
export type SimulationRequest = Parameters<Simulator["simulate"]>[0];

/** Why a simulation cannot say anything. */
export class Incomplete extends Error {
  override readonly name: string = "Incomplete";
}

/** A transaction that runs, and not with the most gas that it may have. */
export class NeedsMoreGas extends Incomplete {
  override readonly name = "NeedsMoreGas";
}

/** Sender of the transaction: the taker, or a stand-in without one. */
export function senderOf({ taker }: SimulationRequest): Address {
  return taker ?? STAND_IN;
}

/** Recipient of the bought tokens: the sender, unless the terms name another. */
export function recipientOf(request: SimulationRequest): Address {
  const { recipient } = request.terms;
  return recipient === ZERO_ADDRESS ? senderOf(request) : recipient;
}

/** Time limit of the node's calls. @throws Incomplete if the caller has aborted, so that nothing more is asked */
export function limitsOf({ deadlineMs, signal }: SimulationRequest): RequestOptions {
  if (signal?.aborted === true) throw new Incomplete("nobody waits for the outcome any more");
  return { deadlineMs };
}

/** The contracts of a request as state overrides. */
export function codeOf({ code = [] }: Pick<SimulationRequest, "code">): StateOverrides {
  return Object.fromEntries(code.map(({ address, runtimeCode }) => [address, { code: runtimeCode }]));
}
