import type { Address } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { UnservedReason } from "../../market/eligibility.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import { addressAt, uintAt } from "../reading/words.ts";
import { tokenOf } from "../uniswap-v4/pool-key.ts";
import { hasNoSwapHooks, type InfinityKey, poolIdOf } from "./pool-key.ts";

/** Differences between the managers of Infinity in how they announce a pool. */
export interface ManagerKind {
  readonly topic: Log["topics"][number];
  /** Name of the term that stands for the step between two ticks, or bins. */
  readonly step: "tickSpacing" | "binStep";
  /** Parameters in a key, the step as its tick spacing; undefined if the contract rejects them. */
  parametersIn(word: bigint): Pick<InfinityKey, "tickSpacing" | "registration"> | undefined;
}

/** The pool that an Initialize log of the manager's announces, whatever its hooks do. */
export function announcedPool(
  { topic, step, parametersIn }: ManagerKind,
  manager: Address,
  log: Log,
): PoolRef | undefined {
  const [first, id] = log.topics;
  if (log.address !== manager || first !== topic || id === undefined) return undefined;
  const currency0 = addressAt(log.topics[2] ?? "0x", 0);
  const currency1 = addressAt(log.topics[3] ?? "0x", 0);
  const hooks = addressAt(log.data, 0);
  const fee = uintAt(log.data, 1, 24);
  const parameters = parametersIn(uintAt(log.data, 2) ?? 0n);
  if (!currency0 || !currency1 || !hooks || fee === undefined || parameters === undefined) return undefined;
  const { tickSpacing, registration } = parameters;
  const key = { currencies: [currency0, currency1] as const, hooks, manager, fee: Number(fee), ...parameters };
  if (currency0 >= currency1 || poolIdOf(key) !== id) return undefined;
  const terms = {
    ...{ currency0, currency1, fee: String(fee), hooks },
    ...{ [step]: String(tickSpacing), registration: String(registration) },
  };
  return { id, address: manager, tokens: [tokenOf(currency0), tokenOf(currency1)], terms };
}

/** The reason for which a pool of Infinity is not served: hooks that are called in a swap. */
export function refusalOf({ terms }: PoolRef): UnservedReason | undefined {
  return hasNoSwapHooks(Number(terms.registration)) ? undefined : "UNKNOWN_HOOKS";
}
