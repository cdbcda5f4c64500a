import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FeedUpdateSchema } from "#gen/snapshot/v1/feed_pb.ts";
import { FleetEntrySchema } from "#gen/snapshot/v1/fleet_pb.ts";
import type { FakeChain } from "../../../fixtures/chain/fake-chain.ts";
import { clearPrefix, hasRedis, ownPrefix, REDIS_URL } from "../../../fixtures/fleet/redis.ts";
import type { Address } from "../../../src/domain/address.ts";
import { type Route, SHARE_ONE } from "../../../src/domain/route.ts";
import { warmStartOf } from "../../../src/market/known-routes.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { FLEET_VERSION } from "../../../src/snapshot/fleet-codec.ts";
import { createWorldOfPairs, type Member, startMember } from "./members.ts";

const isThere = await hasRedis();
let fake: FakeChain;
let prefix: string;
let members: Member[];

beforeEach(() => {
  fake = createWorldOfPairs(7);
  prefix = ownPrefix();
  members = [];
});
afterEach(async () => {
  if (!isThere) return;
  for (const { line } of members) line.mend();
  await Promise.all(members.map((member) => member.stop()));
  await clearPrefix(prefix);
});

async function start(options?: Parameters<typeof startMember>[2]): Promise<Member> {
  const member = await startMember(fake, prefix, options);
  members.push(member);
  return member;
}

/** Starts members one after the other: the first one leads. */
async function startFleet(count: number, options?: Parameters<typeof startMember>[2]): Promise<readonly Member[]> {
  const first = await start(options);
  await expect.poll(() => first.snapshot()?.block.hash).toBe(fake.head.hash);
  for (let more = 1; more < count; more++) await start(options);
  await atHead(members);
  return members;
}

async function atHead(some: readonly Member[]): Promise<void> {
  for (const member of some) await expect.poll(() => member.snapshot()?.block.hash).toBe(fake.head.hash);
}

/** Waits until these hold one market to the byte: what is found out of a block may come after the block. */
async function expectOneMarket(some: readonly Member[]): Promise<void> {
  await expect.poll(() => new Set(some.map((member) => member.market())).size).toBe(1);
  expect(some[0]?.market()).toBeDefined();
}

/** Mines until one of some members has published a block of its own. */
async function ledBy(some: readonly Member[]): Promise<Member> {
  await expect.poll(() => some.filter((member) => member.leads()).length).toBe(1);
  fake.mine({ trades: 2, pairs: 1 });
  await atHead(some);
  return some.find((member) => member.leads())!;
}

/** A lease that a machine with much else to do does not let end. */
const STEADY = { leaseMs: 10_000 };

/** A route over one pool of a market. */
function routeOver({ graph }: Snapshot): Extract<Route, { kind: "exactIn" }> {
  const { id: poolId, source, tokens } = graph.all().at(-1)!;
  const [sellToken, buyToken] = tokens as [Address, Address];
  const amounts = { sellToken, buyToken, sellAmount: 1_000n, buyAmount: 7n };
  return { kind: "exactIn", ...amounts, fills: [{ ...amounts, poolId, source, gas: 1n, share: SHARE_ONE }] };
}

const name = "processes of a fleet";
describe.skipIf(!isThere)(isThere ? name : `${name}: skipped, no Redis at ${REDIS_URL}`, () => {
  test("hold the same market to the byte, block by block, and one of them alone follows the chain", async () => {
    const fleet = await startFleet(3);
    expect(fleet.filter((member) => member.leads())).toHaveLength(1);
    const before = fleet.map((member) => member.requests());
    for (let block = 0; block < 12; block++) {
      if (block === 6) fake.reorganize(2, 3);
      else fake.mine({ trades: 1 + (block % 3), pairs: block % 2 });
      await atHead(fleet);
      await expectOneMarket(fleet);
    }
    const asked = fleet.map((member, index) => member.requests() - before[index]!);
    expect(asked[0]).toBeGreaterThan(12);
    expect(asked.slice(1)).toEqual([0, 0]);
  });

  test("go on from memory when the leader is cut off; what it tells afterwards nobody hears, and back again it follows", async () => {
    const fleet = await startFleet(3);
    const [leader, ...others] = fleet as [Member, Member, Member];
    leader.line.stall();
    const next = await ledBy(others);
    expect(next.chain.status().resyncs).toBe(0);
    // It does not know: it follows the chain for its own callers, and its answers are right.
    await atHead([leader]);
    leader.line.mend();
    await expect.poll(() => leader.leads()).toBe(false);
    fake.mine({ trades: 2 });
    await atHead(fleet);
    await expectOneMarket(fleet);

    await next.stop();
    members.splice(members.indexOf(next), 1);
    await ledBy(members);
    await expectOneMarket(members);
  });

  test("go on with the routes and the moves of prices that the leader before them knew", async () => {
    const [leader, next] = (await startFleet(2)) as [Member, Member];
    const route = routeOver(leader.snapshot()!);
    leader.chain.market.recordRoute(route, fake.head.number);
    for (let block = 0; block < 3; block++) {
      fake.mine({ trades: 3 });
      await atHead(members);
    }
    const startIn = (member: Member) => warmStartOf(member.snapshot()!, { ...route, kind: "exactIn" })?.routes;
    const known = startIn(leader);
    expect(known?.[0]?.uses.map(({ poolId }) => poolId)).toEqual([route.fills[0]!.poolId]);
    const { since } = leader.snapshot()!.volatility!;
    leader.line.stall();
    await ledBy([next]);
    expect(next.chain.status().fleet!.led).toBe(1);
    expect(startIn(next)).toEqual(known);
    expect(next.snapshot()!.volatility!.since).toBe(since);
    leader.line.mend();
    await expect.poll(() => leader.leads()).toBe(false);
    fake.mine({ trades: 1 });
    await atHead(members);
    expect(startIn(leader)).toEqual(known);
    expect(leader.market()).toBe(next.market());
  });

  test("tell what is found out of the newest block, and what is switched off, without waiting for the next one", async () => {
    const [leader, other] = (await startFleet(2, STEADY)) as [Member, Member];
    const [hidden, left] = leader.snapshot()!.graph.all() as [Pool, Pool];
    const shown: bigint[] = [];
    other.chain.onSnapshot(({ block }) => shown.push(block.number));
    leader.chain.quarantine(hidden.id, "it is not what the chain says");
    await expect.poll(() => other.snapshot()?.graph.pool(hidden.id)).toBeUndefined();
    expect(other.snapshot()?.graph.pool(left.id)).toBeDefined();
    expect(other.snapshot()?.block.hash).toBe(fake.head.hash);
    await expect.poll(() => other.market()).toBe(leader.market());

    leader.switchOff({ pool: new Set([left.id]) });
    await expect.poll(() => other.chain.switchedOffByLeader()?.pool.has(left.id)).toBe(true);
    expect(other.snapshot()?.block.hash).toBe(fake.head.hash);

    // A block that comes before anybody has seen what was found out is the next one that is told.
    leader.chain.quarantine(left.id, "nor is this one");
    fake.mine({ trades: 1 });
    await atHead(members);
    expect(other.snapshot()?.graph.pool(left.id)).toBeUndefined();
    await expect.poll(() => other.market()).toBe(leader.market());
    expect(shown).toEqual(shown.toSorted((a, b) => Number(a - b)));
    expect(shown.length).toBeGreaterThan(2);
  });

  test("tell nothing under a lease that is over", async () => {
    const [leader] = (await startFleet(2)) as [Member];
    const token = leader.chain.status().fleet!.token;
    expect(token).toBeGreaterThan(0);
    const others = members.slice(1);
    leader.line.stall();
    await ledBy(others);
    await expect(members[1]!.shared.feed.append(token, new Uint8Array([1]))).rejects.toThrow(/lease .* is over/);
    await expect(members[1]!.shared.feed.keepWhole(token, [new Uint8Array([1])], undefined)).rejects.toThrow(/is over/);
    expect(others[0]!.chain.status().fleet!.token).toBeGreaterThan(token);
  });

  test("answer on from memory while Redis is gone until the block is old, and follow again after it", async () => {
    const [leader, other] = (await startFleet(2)) as [Member, Member];
    const late = await start({ confirmedWithinMs: 1_500, mayLead: false });
    await atHead([late]);
    for (const { line } of members) line.cut();
    fake.mine({ trades: 2 });
    // The leader goes on for its own callers, the others answer from the block that they have.
    await atHead([leader]);
    expect(other.snapshot()?.block.number).toBe(fake.head.number - 1n);
    await expect
      .poll(() => late.chain.market.current())
      .toMatchObject({ unavailable: expect.stringMatching(/No node has/) });
    expect(other.snapshot()).toBeDefined();
    for (const { line } of members) line.mend();
    await expect.poll(() => members.filter((member) => member.leads()).length).toBe(1);
    fake.mine({ trades: 1 });
    await atHead(members);
    await expectOneMarket(members);
  });

  test("fill a Redis that was emptied again, under a greater token", async () => {
    const fleet = await startFleet(2);
    const token = fleet[0]!.chain.status().fleet!.token;
    await clearPrefix(prefix);
    await expect
      .poll(() => Math.max(...fleet.map((member) => member.chain.status().fleet!.token)))
      .toBeGreaterThan(token);
    fake.mine({ trades: 2, pairs: 1 });
    await atHead(fleet);
    const more = await start();
    await atHead([more]);
    await expectOneMarket(members);
  });

  test("take a whole state again where they have lost entries", async () => {
    const [, other] = (await startFleet(2)) as [Member, Member];
    const wholes = other.chain.status().fleet!.wholes;
    other.line.cut();
    for (let block = 0; block < 4; block++) {
      fake.mine({ trades: 3 });
      await atHead([members[0]!]);
    }
    const redis = new Redis(REDIS_URL);
    await redis.xtrim(`{${prefix}}:feed`, "MAXLEN", 1);
    redis.disconnect();
    other.line.mend();
    fake.mine({ trades: 1 });
    await expect.poll(() => other.chain.status().fleet!.wholes).toBeGreaterThan(wholes);
    await members[0]!.stop();
    members.shift();
    await ledBy(members);
  });

  test("follow over a slow line, and clocks that are minutes apart make no leader and no block", async () => {
    const [leader] = (await startFleet(1, STEADY)) as [Member];
    const slow = await start({ ...STEADY, skewMs: 300_000 });
    const early = await start({ ...STEADY, skewMs: -300_000 });
    slow.line.slow(120);
    for (let block = 0; block < 4; block++) {
      fake.mine({ trades: 2 });
      await atHead([leader, slow, early]);
      await expectOneMarket(members);
    }
    expect(members.map((member) => member.leads())).toEqual([true, false, false]);
    expect(slow.chain.status().fleet!.delayMs).toBeGreaterThan(50);
  });

  test("with ROLE=answer never follow the chain, and say so while nobody does", async () => {
    const answering = await start({ mayLead: false });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(answering.leads()).toBe(false);
    expect(answering.chain.market.current()).toMatchObject({ unavailable: expect.stringMatching(/leader/) });
    await start();
    await atHead([answering]);
    expect(answering.leads()).toBe(false);
  });

  test("of two versions side by side follow each other; one that cannot understand the feed has no market, and the others go on", async () => {
    const as = (version: number, readableFrom: number) => (entry: Uint8Array) =>
      Uint8Array.from([
        ...toBinary(FleetEntrySchema, { ...fromBinary(FleetEntrySchema, entry), version, readableFrom }),
        // A field that this version does not know.
        ...[0xa2, 0x06, 0x02, 0x68, 0x69],
      ]);
    const next = await start({ rewritten: as(FLEET_VERSION + 1, FLEET_VERSION) });
    await expect.poll(() => next.snapshot()?.block.hash).toBe(fake.head.hash);
    const old = await start();
    await atHead(members);
    // The old one takes over from the new one, and the new one follows it.
    next.line.stall();
    await ledBy([old]);
    next.line.mend();
    await expect.poll(() => next.leads()).toBe(false);
    fake.mine({ trades: 2 });
    await atHead(members);
    expect(next.market()).toBe(old.market());

    await old.stop();
    await next.stop();
    members = [];
    await clearPrefix(prefix);
    const far = await start({ rewritten: as(FLEET_VERSION + 2, FLEET_VERSION + 1) });
    await expect.poll(() => far.snapshot()?.block.hash).toBe(fake.head.hash);
    const left = await start({ mayLead: false });
    await expect.poll(() => left.chain.status().fleet!.bytes).toBeGreaterThan(0);
    expect(left.chain.market.current()).toHaveProperty("unavailable");
    expect(far.snapshot()).toBeDefined();
  });

  test("read all pools anew where one takes over from the version before: what it told may lack what this one knows", async () => {
    // States of the version before are others; here a fee is, which stands for what it does not tell.
    const lacking = (part: Uint8Array) => {
      const update = fromBinary(FeedUpdateSchema, part);
      for (const { pool } of update.pools) if (pool?.state.case === "constantProduct") pool.state.value.feeNum = "4";
      return toBinary(FeedUpdateSchema, update);
    };
    const rewritten = (bytes: Uint8Array) => {
      const entry = fromBinary(FleetEntrySchema, bytes);
      const [version, readableFrom] = [FLEET_VERSION - 1, FLEET_VERSION - 1];
      return toBinary(FleetEntrySchema, { ...entry, version, readableFrom, parts: entry.parts.map(lacking) });
    };
    const older = await start({ rewritten });
    await expect.poll(() => older.snapshot()?.block.hash).toBe(fake.head.hash);
    const next = await start();
    await atHead(members);
    const statesOf = (member: Member) =>
      new Map(
        member
          .snapshot()
          ?.graph.all()
          .map(({ id, state }) => [id, state] as const),
      );
    expect(statesOf(next)).not.toEqual(statesOf(older));
    older.line.stall();
    await ledBy([next]);
    await atHead(members);
    await expect.poll(() => statesOf(next)).toEqual(statesOf(older));
  });

  test("tell how each source stands, why it is off and what it does not serve, as the one that leads does", async () => {
    const { factory } = fake.record.venues[0] as unknown as { readonly factory: Address };
    fake.removeCode(factory);
    const [leads, follows] = (await startFleet(2)) as [Member, Member];
    const standing = ({ chain }: Member) =>
      Object.fromEntries(
        [...chain.market.sources()].map(([id, { status, reason, leftOut }]) => [id, [status, reason, leftOut?.()]]),
      );
    const reason = "there is no contract where the chain's record says";
    const wrapping = { Wrapped_Native: ["live", undefined, [{ reason: "NOT_READABLE", pools: 1 }]] };
    expect(standing(leads)).toEqual({ ...wrapping, Fake_V2: ["off", reason, []] });
    expect(standing(follows)).toEqual(standing(leads));
    for (const { chain } of members) expect([...chain.status().sourcesOff]).toEqual([["Fake_V2", reason]]);

    fake.restoreCode(factory);
    fake.mine({ pairs: 1 });
    await expect.poll(() => standing(leads).Fake_V2?.[0], { timeout: 10_000 }).toBe("live");
    fake.mine({ trades: 1 });
    await atHead(members);
    expect(standing(follows)).toEqual({ ...wrapping, Fake_V2: ["live", undefined, []] });
    for (const { chain } of members) expect(chain.status().sourcesOff.size).toBe(0);
  });

  test("have the leader wake the pools of a token that another one's caller asks for", async () => {
    fake = createWorldOfPairs(7);
    const fleet = await startFleet(2);
    const asked: unknown[] = [];
    fleet[0]!.shared.feed.onQuestion((question) => asked.push(question));
    const token = [...fleet[1]!.snapshot()!.tokens][1]!;
    fleet[1]!.chain.registry.known(token);
    fleet[1]!.chain.registry.known(token);
    fleet[1]!.chain.market.recheck(["a pool"]);
    await expect
      .poll(() => asked)
      .toEqual([
        { kind: "want", tokens: [token] },
        { kind: "recheck", pools: ["a pool"] },
      ]);
  });
});
