import { expect, test } from "vitest";
import { AuditRounds } from "../../../src/chain/audit/audit-rounds.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";

const snapshotOf = (...pools: readonly string[]) =>
  ({ graph: { pool: (id: string) => (pools.includes(id) ? {} : undefined) } }) as unknown as Snapshot;

test("every pool has its turn before one has another, those that are not in the snapshot passed over", () => {
  const rounds = new AuditRounds({ ids: () => ["a", "b", "c", "d", "e"], changed: () => [] }, 2);
  const snapshot = snapshotOf("a", "c", "d", "e");
  expect(rounds.next(snapshot)).toEqual(["a", "c"]);
  expect(rounds.next(snapshot)).toEqual(["d", "e"]);
  expect(rounds.next(snapshot)).toEqual(["a", "c"]);
});

test("those that the block changed last are looked at too, each once and as many as have a turn", () => {
  const rounds = new AuditRounds({ ids: () => ["a", "b", "c"], changed: () => ["x", "b", "c"] }, 2);
  expect(rounds.next(snapshotOf("a", "b", "c"))).toEqual(["a", "b", "c"]);
});

test("a round ends though no pool is left that the snapshot has", () => {
  const rounds = new AuditRounds({ ids: () => ["a", "b"], changed: () => [] }, 2);
  expect(rounds.next(snapshotOf())).toEqual([]);
});
