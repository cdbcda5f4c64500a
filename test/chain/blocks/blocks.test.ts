import { describe, expect, it } from "vitest";
import { createFakeChain } from "../../../fixtures/chain/fake-chain.ts";
import { createBlocks } from "../../../src/chain/blocks/blocks.ts";
import { createBlooms } from "../../../src/chain/blocks/bloom.ts";
import { systemClock } from "../../../src/chain/rpc/clock.ts";
import type { Provider } from "../../../src/chain/rpc/provider.ts";
import { AnswerTooLargeError, MalformedAnswerError, RpcError } from "../../../src/chain/rpc/provider-errors.ts";
import type { Hex } from "../../../src/domain/address.ts";

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

describe.each<[string, unknown]>([
  ["than are read", new AnswerTooLargeError("answer above all bounds")],
  ["than the node gives", new RpcError(-32005, "eth_getLogs: query returned more than 10000 results")],
  ["than the node's proxy gives", new RpcError(-32008, "eth_getLogs: Response is too big")],
])("the logs of a block with more %s", (_, refusal) => {
  type Told = readonly Record<string, unknown>[];

  /** The fake node, which has two logs in each transaction and tells none at once. */
  function crowded(spoil = (logs: Told): unknown => logs): Provider {
    return {
      ...fake.provider,
      async request(method, params, options) {
        const [first] = params;
        if (method === "eth_getLogs" || method === "eth_getBlockReceipts") throw refusal;
        if (method === "eth_getTransactionReceipt") {
          const logs = (await fake.provider.request("eth_getLogs", [{ blockHash: fake.head.hash }])) as Told;
          return { logs: spoil(logs.slice(2 * Number(first), 2 * Number(first) + 2)) };
        }
        const answer = await fake.provider.request(method, params, options);
        if (method !== "eth_getBlockByHash") return answer;
        return {
          ...(answer as object),
          transactions: fake.head.logs.flatMap((_, at) => (at % 2 ? [] : [`0x${at / 2}`])),
        };
      },
    };
  }

  it("are read transaction by transaction", async () => {
    const blocks = createBlocks(crowded(), fake.record);
    expect(await blocks.logs(await blocks.latest(), topics)).toEqual(fake.head.logs);
  });

  it.each<[string, (logs: Told) => unknown]>([
    ["of another block", (logs) => logs.map((log) => ({ ...log, blockHash: `0x${"00".repeat(32)}` }))],
    ["twice the same", (logs) => [...logs, logs.at(-1)]],
    ["one left out", (logs) => logs.slice(1)],
    ["in another order", (logs) => logs.toReversed()],
    ["with another address", (logs) => logs.map((log) => ({ ...log, address: `0x${"99".repeat(20)}` }))],
    ["no list", () => null],
  ])("are not believed: %s", async (_, spoil) => {
    const blocks = createBlocks(crowded(spoil), fake.record);
    await expect(blocks.logs(await blocks.latest(), topics)).rejects.toThrow(MalformedAnswerError);
  });
});

it("a block's logs are not asked for otherwise where the node refuses them for another reason", async () => {
  const refusal = new RpcError(-32005, "eth_getLogs: too many requests");
  const blocks = createBlocks({ ...fake.provider, request: () => Promise.reject(refusal) }, fake.record);
  const header = await createBlocks(fake.provider, fake.record).latest();
  await expect(blocks.logs(header, topics)).rejects.toThrow(refusal);
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
