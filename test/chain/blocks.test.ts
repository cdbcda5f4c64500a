import { describe, expect, it } from "vitest";
import { createBlocks } from "../../src/chain/blocks.ts";
import { createBlooms } from "../../src/chain/bloom.ts";
import { systemClock } from "../../src/chain/clock.ts";
import type { Provider } from "../../src/chain/provider.ts";
import { AnswerTooLargeError, MalformedAnswerError } from "../../src/chain/provider-errors.ts";
import type { Hex } from "../../src/domain/address.ts";
import { createFakeChain } from "../support/fake-chain.ts";

const fake = createFakeChain({ seed: 41 });
fake.mine({ trades: 6 });
const topics = [fake.head.logs[0]!.topics[0]!];

/** The fake node, with its lists of logs spoiled. */
function spoiled(spoil: (logs: readonly Record<string, unknown>[]) => unknown): Provider {
  return {
    ...fake.provider,
    async request(method, params, options) {
      const answer = await fake.provider.request(method, params, options);
      return method === "eth_getLogs" ? spoil(answer as Record<string, unknown>[]) : answer;
    },
  };
}

describe("a block's logs", () => {
  it("are those of the block", async () => {
    const blocks = createBlocks(fake.provider, fake.record);
    expect(await blocks.logs(await blocks.latest(), topics)).toEqual(fake.head.logs);
  });

  it("are not asked for when the bloom holds none of the topics", async () => {
    const blocks = createBlocks(
      spoiled(() => {
        throw new Error("asked");
      }),
      fake.record,
    );
    expect(await blocks.logs(await blocks.latest(), [`0x${"77".repeat(32)}`])).toEqual([]);
  });

  it.each<[string, (logs: readonly Record<string, unknown>[]) => unknown]>([
    ["of another block", (logs) => logs.map((log) => ({ ...log, blockHash: `0x${"00".repeat(32)}` }))],
    ["of another height", (logs) => logs.map((log) => ({ ...log, blockNumber: "0x0" }))],
    ["twice the same", (logs) => [...logs, logs.at(-1)]],
    ["in another order", (logs) => logs.toReversed()],
    ["without the first", (logs) => logs.slice(1)],
    ["none at all", () => []],
    ["with another address", (logs) => logs.map((log) => ({ ...log, address: `0x${"99".repeat(20)}` }))],
    ["no list", () => null],
  ])("are not believed: %s", async (_, spoil) => {
    const blocks = createBlocks(spoiled(spoil), fake.record);
    await expect(blocks.logs(await blocks.latest(), topics)).rejects.toThrow(MalformedAnswerError);
  });

  it("leave others their turns while many are read", async () => {
    const busy = createFakeChain({ seed: 42, pairs: 200 });
    busy.mine({ trades: 300 });
    let ms = 0;
    let turns = 0;
    const clock = {
      ...systemClock,
      // A millisecond passes between any two looks.
      elapsed: () => ms++,
      breathe: async () => {
        turns += 1;
      },
    };
    const blocks = createBlocks(busy.provider, busy.record, { clock });
    const own = [busy.head.logs[0]!.topics[0]!];
    expect(await blocks.logs(await blocks.latest(), own)).toHaveLength(busy.head.logs.length);
    expect(turns).toBeGreaterThan(busy.head.logs.length / 10);
  });

  it("are taken without their bloom where the chain record says that blooms tell nothing", async () => {
    const blocks = createBlocks(
      spoiled((logs) => logs.slice(1)),
      { ...fake.record, logsBloom: "unreliable" },
    );
    expect(await blocks.logs(await blocks.latest(), topics)).toEqual(fake.head.logs.slice(1));
  });
});

describe("the logs of a block with more than are read", () => {
  /** The fake node, which gives no list but one by topics. */
  function crowded(spoil = (logs: readonly Record<string, unknown>[]): unknown => logs): Provider {
    return {
      ...fake.provider,
      async request(method, params, options) {
        if (method !== "eth_getLogs") return fake.provider.request(method, params, options);
        const [{ topics: wanted, ...rest }] = params as [{ topics?: [readonly Hex[]] }];
        if (wanted === undefined) throw new AnswerTooLargeError("answer above all bounds");
        const logs = (await fake.provider.request(method, [rest], options)) as { topics: readonly Hex[] }[];
        return spoil(logs.filter((log) => wanted[0].includes(log.topics[0]!)));
      },
    };
  }
  const ours = fake.head.logs.filter((log) => topics.includes(log.topics[0]!));

  it("are those of the topics that matter", async () => {
    const blocks = createBlocks(crowded(), fake.record);
    expect(ours.length).toBeLessThan(fake.head.logs.length);
    expect(await blocks.logs(await blocks.latest(), topics)).toEqual(ours);
  });

  it.each<[string, (logs: readonly Record<string, unknown>[]) => unknown]>([
    ["of another block", (logs) => logs.map((log) => ({ ...log, blockHash: `0x${"00".repeat(32)}` }))],
    ["twice the same", (logs) => [...logs, logs.at(-1)]],
    ["in another order", (logs) => logs.toReversed()],
    [
      "with an address that the bloom does not hold",
      (logs) => logs.map((log) => ({ ...log, address: `0x${"99".repeat(20)}` })),
    ],
    [
      "of another topic",
      (logs) =>
        logs.map((log) => ({ ...log, topics: [fake.head.logs.find((other) => !ours.includes(other))!.topics[0]] })),
    ],
    ["no list", () => null],
  ])("are not believed: %s", async (_, spoil) => {
    const blocks = createBlocks(crowded(spoil), fake.record);
    await expect(blocks.logs(await blocks.latest(), topics)).rejects.toThrow(MalformedAnswerError);
  });
});

describe("blooms", () => {
  it("hold three bits of each entry", () => {
    const blooms = createBlooms();
    const bloom = blooms.of(fake.head.logs);
    for (const { address, topics: held } of fake.head.logs) {
      for (const entry of [address, ...held]) expect(blooms.mayHold(bloom, entry)).toBe(true);
    }
    expect(blooms.mayHold(blooms.of([]), fake.head.logs[0]!.address)).toBe(false);
    expect(blooms.mayHold(`0x${"ff".repeat(256)}` as Hex, topics[0]!)).toBe(true);
  });
});
