import { afterEach, describe, expect, it } from "vitest";
import type { FakeNode, FaultPlan } from "../../../fixtures/chain/fake-node.ts";
import { createBlocks } from "../../../src/chain/blocks/blocks.ts";
import { createNodes } from "../../../src/chain/node/nodes.ts";
import { RpcError, TransportError } from "../../../src/chain/rpc/provider-errors.ts";
import { toAddress } from "../../../src/domain/address.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { UNISWAP } from "../../../src/venues/uniswap-v3/dialect.ts";
import { createTimedChain, type Following, follow, inTime, isServed, type TimedChain } from "../blocks/following.ts";

const LIARS = Array.from({ length: process.env.TRIBUTARY_LONG === "1" ? 600 : 12 }, (_, index) => index);
const BLOCK_MS = 2_000;
let following: Following | undefined;

afterEach(async () => {
  await following?.stop();
  following = undefined;
});

function started(seed: number): TimedChain {
  const fake = createTimedChain({ seed });
  for (let block = 0; block < 30; block++) fake.mine();
  return fake;
}

function nodesOf(fake: TimedChain, ...nodes: readonly FakeNode[]) {
  return createNodes({
    providers: nodes.map(({ provider }) => provider),
    record: fake.record,
    clock: fake.clock,
    logger: createLogger("silent"),
  });
}

/** A node of one chain that, from a moment on, answers as one of another chain does. */
function turning(
  from: Pick<FakeNode, "provider">,
  to: Pick<FakeNode, "provider">,
  hasTurned: () => boolean,
): FakeNode["provider"] {
  return {
    ...from.provider,
    request: (...request) => (hasTurned() ? to : from).provider.request(...request),
  };
}

async function blocks(fake: TimedChain, count: number): Promise<void> {
  for (let block = 0; block < count; block++) {
    fake.mine();
    await fake.clock.advance(BLOCK_MS);
  }
}

const followed = () => following!.chain.status().nodes.find((node) => node.followed)!.name;
const stateOf = (index: number) => following!.chain.status().nodes[index]!.state;

/** A node that tells of blocks as of `seconds` later than they are. */
function mistimed(from: Pick<FakeNode, "provider">, isMistimed: () => boolean, seconds: bigint): FakeNode["provider"] {
  return {
    ...from.provider,
    async request(method, ...rest) {
      const answer = await from.provider.request(method, ...rest);
      if (!method.startsWith("eth_getBlockBy") || answer === null || !isMistimed()) return answer;
      const { timestamp, ...block } = answer as { readonly timestamp: string };
      return { ...block, timestamp: `0x${(BigInt(timestamp) + seconds).toString(16)}` };
    },
  };
}

describe("the time of a block", () => {
  const untimely = (fake: TimedChain) => {
    return following!.published.filter(({ block }) => block.timestamp !== fake.block(block.hash)!.timestamp);
  };

  it("is that which other nodes know it by", async () => {
    const fake = started(93);
    const others = ["second", "third"].map((name) => fake.connect({ name }).provider);
    const providers = [mistimed(fake, () => true, 3_600n), ...others];
    following = await follow(fake, { providers, quorum: 2 });
    await blocks(fake, 30);
    await following.caughtUp();
    expect(following.published.length).toBeGreaterThan(10);
    expect(untimely(fake)).toEqual([]);
    expect(followed()).not.toBe("node 1");
  });

  it("does not go back", async () => {
    const fake = started(94);
    let isMistimed = false;
    following = await follow(fake, { providers: [mistimed(fake, () => isMistimed, -3_600n)] });
    await following.caughtUp();
    const before = following.published.length;
    let looks = 0;
    fake.setFaults((method, [height]) => {
      isMistimed = method === "eth_getBlockByNumber" && height === "latest" && looks++ < 3;
      return undefined;
    });
    fake.mine();
    await following.until(() => looks > 3);
    await following.caughtUp();
    expect(following.published.length).toBeGreaterThan(before);
    expect(untimely(fake)).toEqual([]);
  });
});

describe("following one of several nodes", () => {
  it("leaves a node that lags, and knows it is well again when it has caught up", async () => {
    const fake = started(51);
    let behind = 0;
    const lagging = fake.connect({ name: "lagging", behind: () => behind });
    following = await follow(fake, { providers: [lagging.provider, fake.provider] });
    await following.caughtUp();
    expect(followed()).toBe("node 1");
    behind = 8;
    await blocks(fake, 8);
    expect(stateOf(0)).toBe("lagging");
    expect(followed()).toBe("node 2");
    await following.caughtUp();
    behind = 0;
    await blocks(fake, 4);
    expect(stateOf(0)).toBe("well");
    expect(following.wrong).toEqual([]);
  });

  it("leaves a node that went to another fork, for the chain that most nodes have", async () => {
    const fake = started(52);
    const fork = fake.fork(2);
    let astray = false;
    const turncoat = turning(fake, fork, () => astray);
    const others = [fake.connect({ name: "a" }), fake.connect({ name: "b" })];
    following = await follow(fake, { providers: [turncoat, ...others.map(({ provider }) => provider)] });
    await following.caughtUp();
    astray = true;
    for (let block = 0; block < 8; block++) {
      fork.mine();
      await blocks(fake, 1);
    }
    expect(stateOf(0)).toBe("forked");
    expect(followed()).not.toBe("node 1");
    await following.caughtUp();
    expect(following.chain.status().head?.hash).toBe(fake.head.hash);
  });

  it("publishes nothing of a fork when enough nodes have to agree", async () => {
    const fake = started(53);
    const fork = fake.fork(2);
    following = await follow(fake, {
      providers: [fake.provider, fork.provider, fake.connect({ name: "a" }).provider],
      quorum: 2,
    });
    await following.caughtUp();
    for (let block = 0; block < 10; block++) {
      fork.mine();
      await blocks(fake, 1);
    }
    await following.caughtUp();
    expect(following.wrong).toEqual([]);
    expect(following.published.length).toBeGreaterThan(8);
  });

  it("does not let one node that names a head far ahead make the others count as lagging", async () => {
    const fake = started(64);
    const ahead = fake.fork(0);
    for (let block = 0; block < 20; block++) ahead.mine();
    let boasts = false;
    const boaster = turning(fake, ahead, () => boasts);
    const others = [fake.connect({ name: "a" }), fake.connect({ name: "b" })];
    const providers = [boaster, ...others.map(({ provider }) => provider)];
    following = await follow(fake, { providers, quorum: 2 });
    await following.caughtUp();
    boasts = true;
    for (let block = 0; block < 8; block++) {
      ahead.mine();
      await blocks(fake, 1);
    }
    expect([0, 1, 2].map(stateOf)).toEqual(["forked", "well", "well"]);
    await following.caughtUp();
    expect(following.chain.status().head?.hash).toBe(fake.head.hash);
    expect(following.wrong).toEqual([]);
  });

  it("publishes block after block while one of three is silent and two have to agree", async () => {
    const fake = started(67);
    const silent = fake.connect({ name: "silent" });
    const others = [fake.provider, fake.connect({ name: "a" }).provider];
    following = await follow(fake, { providers: [...others, silent.provider], quorum: 2 });
    await following.caughtUp();
    silent.setFaults(() => "silence");
    for (let block = 0; block < 60; block++) {
      await blocks(fake, 1);
      expect(following.chain.status().head?.hash).toBe(fake.head.hash);
    }
    expect(following.wrong).toEqual([]);
  });

  it("has nodes agree on blocks whose logs are of interest only to a venue that is off", async () => {
    const fake = started(68);
    const factory = toAddress(`0x${"f3".repeat(20)}`);
    fake.removeCode(factory);
    const venue = { protocol: "uniswap-v3", source: "Off_V3", factory, fromBlock: 0n } as const;
    const record = { ...fake.record, venues: [...fake.record.venues, venue] };
    const providers = [fake.provider, fake.connect({ name: "a" }).provider, fake.connect({ name: "b" }).provider];
    following = await follow({ ...fake, record }, { providers, quorum: 2 });
    await following.until(() => isServed(following!.chain));
    for (let block = 0; block < 6; block++) {
      fake.mine({ trades: 0, strangers: [UNISWAP.swapTopic] });
      await fake.clock.advance(BLOCK_MS);
    }
    await following.until(() => following!.chain.status().head?.hash === fake.head.hash);
    for (const index of [0, 1, 2]) expect(stateOf(index)).toBe("well");
  });

  it("never follows a node of another chain, however far ahead it is", async () => {
    const fake = started(65);
    const elsewhere = fake.fork(29);
    for (let block = 0; block < 400; block++) elsewhere.mine();
    const other: FakeNode["provider"] = {
      ...elsewhere.provider,
      async request(method, ...rest) {
        const answer = await elsewhere.provider.request(method, ...rest);
        return method === "eth_chainId" ? "0x1" : answer;
      },
    };
    following = await follow(fake, { providers: [fake.provider, other] });
    for (let block = 0; block < 12; block++) {
      elsewhere.mine();
      await blocks(fake, 1);
    }
    expect(followed()).toBe("node 1");
    await following.caughtUp();
    expect(following.chain.status().resyncs).toBe(0);
    expect(following.wrong).toEqual([]);
  });

  it.each(["silence", "error", "emptyLogs", "garbage", "limit"] as const)(
    "goes on at another node when one has nothing but %s to say",
    async (fault) => {
      const fake = started(54);
      const other = fake.connect({ name: "other" });
      following = await follow(fake, { providers: [fake.provider, other.provider] });
      await following.caughtUp();
      fake.setFaults(() => fault);
      await blocks(fake, 12);
      expect(followed()).toBe("node 2");
      expect(following.chain.status().head!.number).toBeGreaterThanOrEqual(fake.head.number - 1n);
      expect(isServed(following.chain)).toBe(true);
      fake.setFaults(undefined);
      await fake.clock.advance(70_000);
      await blocks(fake, 4);
      expect(stateOf(0)).toBe("well");
      expect(following.wrong).toEqual([]);
    },
  );

  it("serves nothing when all nodes are gone, and comes back with the first", async () => {
    const fake = started(55);
    const other = fake.connect({ name: "other" });
    following = await follow(fake, { providers: [fake.provider, other.provider] });
    await following.caughtUp();
    fake.setFaults(() => "silence");
    other.setFaults(() => "error");
    await blocks(fake, 30);
    expect(isServed(following.chain)).toBe(false);
    other.setFaults(undefined);
    await blocks(fake, 10);
    await following.caughtUp();
    expect(following.wrong).toEqual([]);
  });
});

describe("among nodes of which one lies for ever", () => {
  /** It says about pools, and about what happened to them, what is not so. */
  const lies: FaultPlan = (method) => {
    if (method === "eth_call") return "wrongState";
    return method === "eth_getLogs" ? "wrongLogs" : undefined;
  };
  const liar = (fake: TimedChain, seed: number) => {
    const node = fake.connect({ name: `liar ${seed}` });
    node.setFaults(lies);
    return node.provider;
  };

  it.each(LIARS)("it is found by the word of the others, named, and left: seed %i", async (seed) => {
    const fake = started(600 + seed);
    const place = seed % 3;
    const providers = [fake.provider, fake.connect({ name: "a" }).provider, fake.connect({ name: "b" }).provider];
    providers[place] = liar(fake, seed);
    following = await follow(fake, { providers, auditedPerBlock: 4 });
    await blocks(fake, 20);
    expect(stateOf(place)).toBe("lying");
    expect(following.chain.status().nodes[place]!.lie).toMatch(/^the (state of pool 0x\w+ at|logs of) block/);
    expect(followed()).not.toBe(`node ${place + 1}`);
    await following.caughtUp();
    const known = following.wrong.length;
    if (place !== 0) expect(known).toBe(0);
    await blocks(fake, 40);
    await following.caughtUp();
    expect(following.wrong.length).toBe(known);
    expect(following.chain.status().quarantined.size).toBe(0);
    for (const honest of [0, 1, 2].filter((index) => index !== place)) expect(stateOf(honest)).toBe("well");
  });

  it("nothing wrong is published at all when two have to give the same logs", async () => {
    const fake = started(611);
    let lying = false;
    const node = fake.connect({ name: "turncoat" });
    node.setFaults((method) => (lying && method === "eth_getLogs" ? "wrongLogs" : undefined));
    const others = [fake.provider, fake.connect({ name: "a" }).provider];
    following = await follow(fake, { providers: [node.provider, ...others], quorum: 2, auditedPerBlock: 1 });
    await following.caughtUp();
    lying = true;
    await blocks(fake, 20);
    await following.caughtUp();
    expect(stateOf(0)).toBe("lying");
    expect(following.wrong).toEqual([]);
    expect(following.published.length).toBeGreaterThan(15);
  });

  it("a slip is no lie", async () => {
    const fake = started(612);
    const node = fake.connect({ name: "slips" });
    let slips = 3;
    node.setFaults((method) => (method === "eth_call" && slips-- > 0 ? "wrongState" : undefined));
    const others = [fake.provider, fake.connect({ name: "a" }).provider];
    following = await follow(fake, { providers: [others[0]!, node.provider, others[1]!], auditedPerBlock: 4 });
    await blocks(fake, 20);
    await following.caughtUp();
    expect(slips).toBeLessThan(0);
    for (const index of [0, 1, 2]) expect(stateOf(index)).toBe("well");
    expect(following.wrong).toEqual([]);
  });

  it("of two that contradict each other neither is believed: the pool is put aside", async () => {
    const fake = started(613);
    following = await follow(fake, { providers: [fake.provider, liar(fake, 1)], auditedPerBlock: 4 });
    await following.caughtUp();
    await blocks(fake, 30);
    expect(following.chain.status().audit.mismatched).toBeGreaterThan(0);
    expect([stateOf(0), stateOf(1)]).toEqual(["well", "well"]);
    expect(following.chain.status().quarantined.size).toBeGreaterThan(0);
    expect(following.wrong.filter((text) => text.includes("other reserves"))).toEqual([]);
  });
});

describe("asking any node", () => {
  it("asks a second node when the first is slow, and takes the first answer", async () => {
    const fake = started(56);
    const quick = fake.connect({ name: "quick" });
    const nodes = nodesOf(fake, fake, quick);
    fake.setFaults(() => "silence");
    const start = fake.clock.now();
    expect(await inTime(fake.clock, nodes.any.request("eth_chainId", []))).toBe("0x63");
    expect(fake.clock.now() - start).toBeLessThan(1_000);
    nodes.close();
  });

  it("goes to another node for a block that one does not have", async () => {
    const fake = started(57);
    const nodes = nodesOf(fake, fake.connect({ name: "behind", behind: () => 5 }), fake);
    const call = ["eth_getLogs", [{ blockHash: fake.head.hash }]] as const;
    expect(await inTime(fake.clock, nodes.any.request(...call))).toHaveLength(fake.head.logs.length);
    nodes.close();
  });

  it("takes a refusal for an answer", async () => {
    const fake = started(58);
    const nodes = nodesOf(fake, fake, fake.connect({ name: "other" }));
    await expect(inTime(fake.clock, nodes.any.request("eth_no", []))).rejects.toBeInstanceOf(RpcError);
    expect(fake.requests()).toBe(1);
    nodes.close();
  });

  it("waits as long as a node asks for, then goes slower, then faster again", async () => {
    const fake = started(59);
    const nodes = nodesOf(fake, fake);
    let limits = 1;
    fake.setFaults(() => (limits-- > 0 ? "limit" : undefined));
    for (let request = 0; request < 40; request++) void nodes.any.request("eth_chainId", []).catch(() => {});
    await fake.clock.advance(500);
    const [complained] = nodes.status();
    expect(complained).toMatchObject({ state: "resting", requestsPerSecond: 28 });
    const before = fake.requests();
    const start = fake.clock.now();
    await inTime(fake.clock, nodes.any.request("eth_chainId", []));
    expect(fake.clock.now() - start).toBeGreaterThan(300);
    expect(fake.requests()).toBeGreaterThan(before);
    for (let second = 0; second < 60; second++) {
      await inTime(fake.clock, nodes.any.request("eth_chainId", []));
      await fake.clock.advance(1_000);
    }
    expect(nodes.status()[0]!.requestsPerSecond).toBeUndefined();
    nodes.close();
  });

  it("asks for nothing longer than somebody waits for it", async () => {
    const fake = started(61);
    const other = fake.connect({ name: "other" });
    const nodes = nodesOf(fake, fake, other);
    fake.setFaults(() => "silence");
    other.setFaults(() => "silence");
    const start = fake.clock.now();
    const request = nodes.any.request("eth_call", [], { deadlineMs: start + 700 });
    await expect(inTime(fake.clock, request)).rejects.toBeInstanceOf(TransportError);
    expect(fake.clock.now() - start).toBeLessThanOrEqual(700);
    const before = fake.requests() + other.requests();
    await fake.clock.advance(1_000);
    const late = nodes.any.request("eth_call", [], { deadlineMs: start + 700 });
    await expect(inTime(fake.clock, late)).rejects.toThrow("deadline");
    expect(fake.requests() + other.requests()).toBe(before);
    nodes.close();
  });

  it("does not blame a node for callers that wait for next to nothing", async () => {
    const fake = started(66);
    const nodes = nodesOf(fake, fake);
    fake.setFaults((method) => (method === "eth_call" ? "silence" : undefined));
    for (let request = 0; request < 10; request++) {
      const hurried = nodes.any.request("eth_call", [], { deadlineMs: fake.clock.now() + 20, attempts: 1 });
      await expect(inTime(fake.clock, hurried)).rejects.toThrow("no answer in time");
    }
    expect(nodes.status()).toMatchObject([{ state: "well", errorRate: 0 }]);
    for (let request = 0; request < 5; request++) {
      const patient = nodes.any.request("eth_call", [], { attempts: 1 });
      await expect(inTime(fake.clock, patient)).rejects.toThrow("no answer in time");
    }
    expect(nodes.status()).toMatchObject([{ state: "resting" }]);
    nodes.close();
  });

  it("leaves nodes alone for as long as it should, also when the machine's clock is set back meanwhile", async () => {
    const fake = started(69);
    const nodes = nodesOf(fake, fake);
    const ask = () => inTime(fake.clock, nodes.any.request("eth_chainId", [], { attempts: 1 }));
    for (const fault of ["error", "silence", "limit"] as const) {
      fake.setFaults(() => fault);
      for (let request = 0; request < 5; request++) await ask().catch(() => {});
      fake.clock.setBack(3_600_000);
      fake.setFaults(undefined);
      await fake.clock.advance(70_000);
      expect(await ask()).toBe("0x63");
      expect(nodes.status()).toMatchObject([{ state: "well" }]);
    }
    nodes.close();
  });

  it("waits for its turn at a node no longer than somebody waits for the answer", async () => {
    const fake = started(62);
    const nodes = nodesOf(fake, fake);
    fake.setFaults(() => "limit");
    await expect(inTime(fake.clock, nodes.any.request("eth_chainId", [], { attempts: 1 }))).rejects.toThrow("429");
    fake.setFaults(() => "silence");
    const start = fake.clock.now();
    const request = nodes.any.request("eth_call", [], { deadlineMs: start + 1_500, attempts: 1 });
    await expect(inTime(fake.clock, request)).rejects.toBeInstanceOf(TransportError);
    expect(fake.requests()).toBe(2);
    expect(fake.clock.now() - start).toBeLessThanOrEqual(1_500);
    nodes.close();
  });

  it("takes another block, or what is none, for no agreement on a block", async () => {
    const fake = started(63);
    const other = fake.connect({ name: "other" });
    const nodes = createNodes({
      ...{ providers: [fake.provider, other.provider], record: fake.record, clock: fake.clock, quorum: 2 },
      logger: createLogger("silent"),
    });
    const head = await inTime(fake.clock, createBlocks(fake.provider, fake.record).latest());
    expect(await inTime(fake.clock, nodes.agreeOn(head))).toBe(true);
    for (const fault of ["otherBlock", "garbage", "silence"] as const) {
      other.setFaults(() => fault);
      expect(await inTime(fake.clock, nodes.agreeOn(head))).toBe(false);
    }
    nodes.close();
  });

  it("gives up on nodes that are all silent, within the attempts that were asked for", async () => {
    const fake = started(60);
    const nodes = nodesOf(fake, fake);
    fake.setFaults(() => "silence");
    const request = nodes.any.request("eth_chainId", [], { attempts: 2, timeoutMs: 500 });
    await expect(inTime(fake.clock, request)).rejects.toBeInstanceOf(TransportError);
    expect(fake.requests()).toBe(2);
    nodes.close();
  });
});
