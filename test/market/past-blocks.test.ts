import { expect, it } from "vitest";
import type { Hex } from "../../src/domain/address.ts";
import { PastBlocks } from "../../src/market/past-blocks.ts";
import type { Snapshot } from "../../src/market/snapshot.ts";

const hashOf = (number: bigint): Hex => `0x${number.toString(16).padStart(64, "0")}`;
const snapshotOf = (number: bigint) => ({ block: { number, hash: hashOf(number) } }) as Snapshot;

it("hold the newest block as it is shown now, and go on to hold it so", () => {
  let current: Snapshot | undefined;
  const renewed: Snapshot[] = [];
  const past = new PastBlocks(
    hashOf,
    () => current,
    (snapshot) => renewed.push(snapshot),
  );
  const [before, next] = [snapshotOf(7n), snapshotOf(8n)];
  past.add(before);
  current = { ...before };
  expect(past.at(7n)).toBe(current);
  const anew = { ...before };
  past.renew(anew);
  current = next;
  past.add(next);
  expect(past.at(7n)).toBe(anew);
  // A block that is not the newest any more stays as it is, and one that is not held is no business of theirs.
  past.renew(snapshotOf(7n));
  past.renew(snapshotOf(9n));
  expect(past.at(7n)).toBe(anew);
  expect(renewed).toEqual([{ ...before }, anew]);
  expect(past.range()).toEqual({ oldest: 7n, newest: 8n });
});
