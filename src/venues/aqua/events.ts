import { toEventSelector } from "viem";
import type { Hex } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import type { Log } from "../../market/chain-reader.ts";
import { impossibleAqua } from "../../pools/aqua/impossible.ts";
import type { AquaState } from "../../pools/aqua/state.ts";
import type { Pool } from "../../pools/pool.ts";
import { addressAt, uintAt } from "../reading/words.ts";
import type { AquaRecord } from "./record.ts";
import { hashIn, PUSHED } from "./strategies.ts";

const PULLED = toEventSelector("Pulled(address,address,bytes32,address,uint256)");
const DOCKED = toEventSelector("Docked(address,address,bytes32)");

/** Logs that change what Aqua counts of a strategy. */
export const STATE_TOPICS: readonly Hex[] = [PUSHED, PULLED, DOCKED];

/** The strategy of the record's router that a log is about. */
export function changedStrategy({ aqua, router }: AquaRecord, { address, topics, data }: Log): PoolId | undefined {
  const [topic] = topics;
  if (address !== aqua || topic === undefined || !STATE_TOPICS.includes(topic)) return undefined;
  return addressAt(data, 1) === router ? hashIn(data) : undefined;
}

/**
 * Counted balances after one of a strategy's logs; undefined where the log does not tell them: whoever says that a strategy is docked
 * need not have docked its tokens, and what has nothing is read without its wallets.
 */
export function stateAfter({ tokens }: Pool, state: AquaState, { topics, data }: Log): AquaState | undefined {
  const [topic] = topics;
  if (addressAt(data, 0) !== state.maker) return state;
  const [token, amount] = [addressAt(data, 3), uintAt(data, 4)];
  if (topic === DOCKED || token === undefined || amount === undefined) return undefined;
  const change = topic === PUSHED ? amount : -amount;
  const [first, second] = state.balances;
  const balances = [
    token === tokens[0] ? first + change : first,
    token === tokens[1] ? second + change : second,
  ] as const;
  const next = { ...state, balances };
  const isKnown = balances.every((balance) => balance >= 0n) && balances.some((balance) => balance > 0n);
  return isKnown && impossibleAqua(next) === undefined ? next : undefined;
}
