import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Pool as PoolMessage, PoolSchema } from "#gen/snapshot/v1/snapshot_pb.ts";
import { toAddress } from "../domain/address.ts";
import { messageOf } from "../domain/message-of.ts";
import type { Curve } from "../pools/curve/curve.ts";
import type { StateField } from "../pools/curve/state-field.ts";
import { type CurveKind, type CurveStates, curveOf, curves, type Pool } from "../pools/pool.ts";

/** Curves whose states are kept. */
export type SavedCurve = {
  [K in CurveKind]: (typeof curves)[K] extends { readonly fields: object } ? K : never;
}[CurveKind];

/** The name of a curve in the file: "balancer-v3" is balancerV3. */
type CaseOf<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CaseOf<Tail>>}`
  : Name;

/** A state as it is written into a message of a pool, with the name of its curve. */
type StateInit = Exclude<MessageInitShape<typeof PoolSchema>["state"], { case: undefined } | undefined>;
type InitOf<K extends SavedCurve> = Extract<StateInit, { case: CaseOf<K> }>["value"];
type MessageOf<K extends SavedCurve> = Extract<PoolMessage["state"], { case: CaseOf<K> }>["value"];

/** The lines of a curve's fields, held against its message. */
type FieldsOf<K extends SavedCurve> = {
  readonly [F in keyof Required<CurveStates[K]>]: F extends keyof MessageOf<K> & keyof InitOf<K>
    ? {
        readonly write: (value: CurveStates[K][F]) => InitOf<K>[F];
        readonly read: (saved: MessageOf<K>[F]) => CurveStates[K][F];
      }
    : never;
};

/** The curves by their names in the file. Does not compile where a curve's fields and its message differ. */
const BY_CASE = byCase(curves);

function byCase(
  all: { readonly [K in SavedCurve]: { readonly fields: FieldsOf<K> } },
): ReadonlyMap<string, SavedCurve> {
  const kept = Object.entries<Partial<(typeof all)[SavedCurve]>>(all).filter(([, { fields }]) => fields !== undefined);
  return new Map(kept.map(([kind]) => [caseOf(kind), kind as SavedCurve]));
}

function caseOf(kind: string): string {
  return kind.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The lines of any curve's fields, by name. */
type Fields = Readonly<Record<string, StateField<unknown, unknown>>>;

function fieldsOf({ fields }: Curve<Pool["state"]>): Fields | undefined {
  return fields as unknown as Fields | undefined;
}

function convert(fields: Fields, from: object, how: "write" | "read"): object {
  const values = from as Readonly<Record<string, unknown>>;
  const converted = Object.entries(fields).map(
    ([name, field]) => [name, inField(name, () => field[how](values[name]))] as const,
  );
  return Object.fromEntries(converted.filter(([, value]) => value !== undefined));
}

function inField<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new RangeError(`${name}: ${messageOf(error)}`);
  }
}

/** A pool's message, without what it shows of itself. @throws RangeError for what a maker said */
export function writePool(pool: Pool) {
  return { id: pool.id, source: pool.source, tokens: [...pool.tokens], state: writeState(pool) };
}

/** The pool of a message. @throws RangeError naming the field */
export function readPool({ id, source, tokens, state }: Pick<PoolMessage, "id" | "source" | "tokens" | "state">): Pool {
  return { id, source, tokens: tokens.map(toAddress), ...readState(state, tokens.length) } as Pool;
}

/** Whether two states of one pool differ in their states' fields alone, and if so in which. */
export function changedFields(before: Pool, after: Pool): readonly string[] | undefined {
  const isSame = before.id === after.id && before.source === after.source && before.curve === after.curve;
  const [was, is] = [before.controllers ?? [], after.controllers ?? []];
  if (!isSame || !isEqual(before.tokens, after.tokens) || !isEqual(was, is)) return undefined;
  const [old, now] = [before.state, after.state] as unknown as readonly Readonly<Record<string, unknown>>[];
  return Object.keys(fieldsOf(curveOf(after)) ?? {}).filter((name) => old?.[name] !== now?.[name]);
}

/** A message of some fields of a pool's state alone. */
export function writeFields(pool: Pool, names: readonly string[]) {
  return { state: writeState(pool, names) };
}

/** The pool with other values in some fields of its state. @throws RangeError naming the field */
export function readFields(before: Pool, { state }: Pick<PoolMessage, "state">, names: readonly string[]): Pool {
  const fields = fieldsOf(curveOf(before));
  if (fields === undefined || state.case !== caseOf(before.curve)) throw new RangeError("a state of another kind");
  const kept = Object.entries(before.state).filter(([name]) => !names.includes(name));
  const changed = convert(some(fields, names), state.value, "read");
  return { ...before, state: { ...Object.fromEntries(kept), ...changed } } as unknown as Pool;
}

function some(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

function isEqual(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}

function writeState(pool: Pool, names?: readonly string[]): StateInit {
  const fields = fieldsOf(curveOf(pool));
  if (fields === undefined) throw new RangeError("what makers say is not kept");
  const written = names === undefined ? fields : some(fields, names);
  return { case: caseOf(pool.curve), value: convert(written, pool.state, "write") } as StateInit;
}

function readState(message: PoolMessage["state"], tokens: number): Pick<Pool, "curve" | "state"> {
  const kind = BY_CASE.get(message.case ?? "");
  const curve = kind && (curves[kind] as Curve<Pool["state"]>);
  const fields = curve && fieldsOf(curve);
  if (fields === undefined || message.case === undefined) throw new RangeError("no state of a known kind");
  const state = convert(fields, message.value, "read") as Pool["state"];
  const fault = (curve?.tokensFault ?? countFault)(state, tokens) ?? listFault(fields, state);
  if (fault !== undefined) throw new RangeError(fault);
  return { curve: kind, state } as Pick<Pool, "curve" | "state">;
}

function countFault(state: Pool["state"], tokens: number): string | undefined {
  const wanted = balanceCount(state);
  return tokens === wanted ? undefined : `${tokens} tokens where the state has ${wanted}`;
}

/** Describes a list that should have one entry per balance and does not; undefined if all do. */
function listFault(fields: Fields, state: Pool["state"]): string | undefined {
  const wanted = balanceCount(state);
  const wrong = Object.entries<unknown>({ ...state }).find(
    ([name, list]) => fields[name]?.perToken && Array.isArray(list) && list.length !== wanted,
  );
  return wrong && `${wrong[0]}: not ${wanted} entries`;
}

function balanceCount(state: Pool["state"]): number {
  return "balances" in state ? state.balances.length : 2;
}

/** Why no contract can have left a pool like this; undefined where one can. */
export function impossibleIn(pool: Pool): string | undefined {
  if (new Set(pool.tokens).size < pool.tokens.length) return "tokens: one twice";
  return curveOf(pool).impossible?.(pool.state);
}
