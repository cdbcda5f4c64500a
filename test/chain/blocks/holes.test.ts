import { afterEach, describe, expect, it } from "vitest";
import type { Provider } from "../../../src/chain/rpc/provider.ts";
import { RpcError } from "../../../src/chain/rpc/provider-errors.ts";
import { createTimedChain, type Following, follow, isServed, type TimedChain } from "./following.ts";

/** Three turns that fail with their pauses, and reading everything anew, in blocks of two seconds. */
const SOON_MS = 8_000;
let following: Following | undefined;

afterEach(async () => {
  await following?.stop();
  following = undefined;
});

/** A node that answers as if it had never had blocks of some heights. */
function withHoles(fake: TimedChain, isMissing: (height: number) => boolean): Provider {
  const missing = (hash: unknown) => {
    const block = fake.block(hash as `0x${string}`);
    return block !== undefined && isMissing(Number(block.number));
  };
  return {
    ...fake.provider,
    async request(method, params, ...rest) {
      const [first, second] = params;
      if (method === "eth_getBlockByNumber" && first !== "latest" && isMissing(Number(first))) return null;
      if (method === "eth_getBlockByHash" && missing(first)) return null;
      const { blockHash } = ((method === "eth_call" ? second : first) ?? {}) as { readonly blockHash?: unknown };
      if (blockHash !== undefined && missing(blockHash)) throw new RpcError(-32001, "unknown block");
      return fake.provider.request(method, params, ...rest);
    },
  };
}

function grown(seed: number): TimedChain {
  const fake = createTimedChain({ seed });
  for (let block = 0; block < 40; block++) fake.mine({ pairs: block % 5 === 0 ? 1 : 0 });
  return fake;
}

const isAtHead = (fake: TimedChain) => () =>
  following!.chain.status().head?.hash === fake.head.hash && isServed(following!.chain);

describe("a node with holes", () => {
  it.each([1, 2, 5, 20])(
    "is read anew after three failures, when %i blocks under its head are missing",
    async (length) => {
      const fake = grown(41);
      let [from, to] = [0, -1];
      const node = withHoles(fake, (height) => height >= from && height <= to);
      following = await follow(fake, { providers: [node] });
      await following.caughtUp();
      [from, to] = [Number(fake.head.number) + 1, Number(fake.head.number) + length];
      for (let block = 0; block <= length; block++) fake.mine({ trades: 2 });
      await following.until(isAtHead(fake), SOON_MS);
      expect(following.chain.status().resyncs).toBe(1);
      fake.mine({ pairs: 1, trades: 4 });
      await following.until(isAtHead(fake), SOON_MS);
      expect(following.chain.status().resyncs).toBe(1);
      expect(following.wrong).toEqual([]);
    },
  );

  it("is not read anew when the blocks come after two failures", async () => {
    const fake = grown(42);
    let asked = 0;
    let late = Number.POSITIVE_INFINITY;
    const node = withHoles(fake, (height) => height >= late && asked++ < 2);
    following = await follow(fake, { providers: [node] });
    await following.caughtUp();
    late = Number(fake.head.number) + 1;
    fake.mine();
    fake.mine();
    await following.until(isAtHead(fake), SOON_MS);
    expect(asked).toBeGreaterThan(2);
    expect(following.chain.status().resyncs).toBe(0);
    expect(following.wrong).toEqual([]);
  });

  it.each([
    [1, 1],
    [1, 16],
    [3, 9],
    [16, 16],
  ])("is followed from its first start, when the blocks %i to %i below its head are missing", async (near, far) => {
    const fake = grown(43);
    const head = Number(fake.head.number);
    following = await follow(fake, {
      providers: [withHoles(fake, (height) => height >= head - far && height <= head - near)],
    });
    await following.until(isAtHead(fake), SOON_MS);
    fake.mine({ pairs: 1, trades: 4 });
    await following.until(isAtHead(fake), SOON_MS);
    expect(following.wrong).toEqual([]);
  });
});
