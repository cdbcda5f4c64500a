import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FakeChain } from "../../../fixtures/chain/fake-chain.ts";
import { clearPrefix, hasRedis, ownPrefix, REDIS_URL } from "../../../fixtures/fleet/redis.ts";
import { createWorldOfPairs, type Member, startMember } from "./members.ts";

const isThere = await hasRedis();
let fake: FakeChain;
let prefix: string;
let members: Member[];

beforeEach(() => {
  fake = createWorldOfPairs(11);
  prefix = ownPrefix();
  members = [];
});
afterEach(async () => {
  if (!isThere) return;
  for (const { line } of members) line.mend();
  await Promise.all(members.map((member) => member.stop()));
  await clearPrefix(prefix);
});

/** Two members of which the first leads. */
async function startTwo(): Promise<readonly [Member, Member]> {
  const first = await startMember(fake, prefix);
  members.push(first);
  await expect.poll(() => first.snapshot()?.block.hash).toBe(fake.head.hash);
  const second = await startMember(fake, prefix);
  members.push(second);
  await atHead(members);
  return [first, second];
}

async function atHead(some: readonly Member[]): Promise<void> {
  for (const member of some) await expect.poll(() => member.snapshot()?.block.hash).toBe(fake.head.hash);
}

/** Numbers of the blocks that a member shows from now on, in turn. */
function shownBy({ chain }: Member): bigint[] {
  const shown: bigint[] = [];
  chain.onSnapshot(({ block }) => shown.push(block.number));
  return shown;
}

/** Cuts a leader off until the other one leads, and mines meanwhile. */
async function depose(leader: Member, other: Member): Promise<void> {
  leader.line.stall();
  await expect.poll(() => other.leads()).toBe(true);
  for (let block = 0; block < 5; block++) {
    fake.mine({ trades: 2 });
    await atHead([leader, other]);
  }
}

const name = "a leader whose lease has ended";
describe.skipIf(!isThere)(isThere ? name : `${name}: skipped, no Redis at ${REDIS_URL}`, () => {
  test("follows the next one, though a block of its own was under way", async () => {
    const [leader, other] = await startTwo();
    await depose(leader, other);
    // Its own look at a block has begun, and ends after it has stepped down.
    const letNodeAnswer = await leader.holdNode();
    fake.mine({ trades: 1 });
    leader.line.mend();
    await expect.poll(() => leader.leads()).toBe(false);
    letNodeAnswer();
    for (let block = 0; block < 5; block++) {
      fake.mine({ trades: 1 });
      await atHead([leader, other]);
    }
    expect(leader.market()).toBe(other.market());
  });

  test("shows no block before the one that its callers have seen, and holds all that it has shown", async () => {
    const [leader, other] = await startTwo();
    const oldest = leader.snapshot()!.block.number;
    const shown = shownBy(leader);
    await depose(leader, other);
    leader.line.mend();
    await expect.poll(() => leader.leads()).toBe(false);
    fake.mine({ trades: 1 });
    await atHead([leader, other]);
    expect(shown).toEqual(shown.toSorted((a, b) => Number(a - b)));
    expect(leader.chain.past.held()).toEqual([{ oldest, newest: fake.head.number }]);
  });
});
