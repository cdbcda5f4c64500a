import type { Pool as PoolMessage } from "#gen/snapshot/v1/snapshot_pb.ts";
import { messageOf } from "../domain/message-of.ts";
import type { Pool } from "../pools/pool.ts";
import type { Field } from "./field.ts";
import { CASES, FIELDS, type SavedCurve, type StateMessage } from "./fields.ts";

/** Fields that have one entry for each of a pool's tokens. */
const PER_TOKEN: ReadonlySet<string> = new Set([
  "balances",
  "rates",
  "weights",
  "minBalances",
  "scales",
  "expiries",
  "durations",
  "freshRates",
  "oldRates",
  "exempt",
]);

type AnyField = Field<unknown, unknown>;

function convert(kind: SavedCurve, from: object, how: keyof AnyField): object {
  const values = from as Readonly<Record<string, unknown>>;
  const fields = Object.entries(FIELDS[kind] as Readonly<Record<string, AnyField>>);
  const converted = fields.map(([name, field]) => [name, inField(name, () => field[how](values[name]))] as const);
  return Object.fromEntries(converted.filter(([, value]) => value !== undefined));
}

function inField<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new RangeError(`${name}: ${messageOf(error)}`);
  }
}

/** A pool's state as the file has it. @throws RangeError for what a maker said */
export function writeState({ curve, state }: Pool): StateMessage {
  if (curve === "levels" || curve === "signed-order") throw new RangeError("what makers say is not kept");
  return { case: CASES[curve], value: convert(curve, state, "write") } as StateMessage;
}

/**
 * The curve and state that the file tells.
 * @throws RangeError naming the field
 */
export function readState(message: PoolMessage["state"], tokens: number): Pick<Pool, "curve" | "state"> {
  const known = Object.entries(CASES).find(([, name]) => name === message.case);
  if (known === undefined || message.case === undefined) throw new RangeError("no state of a known kind");
  const curve = known[0] as SavedCurve;
  const state = convert(curve, message.value, "read") as Pool["state"];
  const wanted = "balances" in state ? state.balances.length : 2;
  // A stableswap pool whose own share is traded has it behind its coins.
  const isCounted = tokens === wanted || (curve === "stableswap" && tokens === wanted + 1);
  if (!isCounted || Object.entries(state).some(([name, list]) => PER_TOKEN.has(name) && list.length !== wanted))
    throw new RangeError(`${tokens} tokens where the state has ${wanted}`);
  if ("share" in state && state.share > tokens) throw new RangeError(`share: no token ${state.share}`);
  return { curve, state } as Pick<Pool, "curve" | "state">;
}
