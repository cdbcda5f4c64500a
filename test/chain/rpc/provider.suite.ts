import { afterEach, describe, expect, it } from "vitest";
import { createFakeChain, type FakeChain } from "../../../fixtures/chain/fake-chain.ts";
import type { Provider } from "../../../src/chain/rpc/provider.ts";
import { RpcError, TransportError } from "../../../src/chain/rpc/provider-errors.ts";
import { until } from "../blocks/following.ts";

const UNKNOWN_BLOCK = { blockHash: `0x${"ee".repeat(32)}` };

/** Nothing is tried twice. */
const ONCE = { attempts: 1 };
const SILENCE_NOTICED_MS = 400;
const DEADLINE_MS = 1_000;
/** So long a provider waits for an answer by itself: far longer than a busy machine takes for one. */
export const PATIENCE_MS = 30_000;

/** A provider of a chain, and what ends it. */
export interface ProviderUnderTest {
  readonly provider: Provider;
  /** Settles when hints can come. */
  readonly listening?: Promise<unknown>;
  stop(): void | Promise<void>;
}

/** Holds every implementation of Provider to the same, in front of the same fake chain. */
export function describeProvider(name: string, create: (chain: FakeChain) => Promise<ProviderUnderTest>): void {
  describe(`a provider ${name}`, () => {
    const ends: (() => void | Promise<void>)[] = [];
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end();
    });

    async function world() {
      const chain = createFakeChain({ seed: 7 });
      for (let block = 0; block < 3; block++) chain.mine();
      const { provider, listening, stop } = await create(chain);
      ends.push(stop);
      await listening;
      return { chain, provider };
    }

    it("gives results as the node gave them, also those that are none", async () => {
      const { chain, provider } = await world();
      expect(await provider.request("eth_chainId", [])).toBe("0x63");
      const { number, hash, parentHash } = chain.head;
      expect(await provider.request("eth_getBlockByNumber", ["latest", false])).toMatchObject({
        number: `0x${number.toString(16)}`,
        hash,
        parentHash,
      });
      expect(await provider.request("eth_getBlockByHash", [hash, false])).toMatchObject({ hash });
      expect(await provider.request("eth_getBlockByHash", [UNKNOWN_BLOCK.blockHash, false])).toBeNull();
      expect(await provider.request("eth_getLogs", [{ blockHash: hash }])).toHaveLength(chain.head.logs.length);
    });

    it("keeps requests at the same time apart", async () => {
      const { provider } = await world();
      const numbers = ["0x0", "0x1", "0x2", "0x3"];
      const blocks = await Promise.all(
        numbers.map((number) => provider.request("eth_getBlockByNumber", [number, false])),
      );
      expect(blocks).toMatchObject(numbers.map((number) => ({ number })));
    });

    it("tells the node's refusals with their code", async () => {
      const { chain, provider } = await world();
      const call = { to: chain.record.wrappedNative, data: "0x" };
      const refused = async (method: string, params: readonly unknown[]) => {
        const error = await provider.request(method, params, ONCE).catch((caught: unknown) => caught);
        expect(error).toBeInstanceOf(RpcError);
        return (error as RpcError).code;
      };
      expect(await refused("eth_call", [call, UNKNOWN_BLOCK])).toBe(-32001);
      expect(await refused("eth_noSuchMethod", [])).toBe(-32601);
      expect(chain.requests()).toBe(2);
    });

    it("gives up on a node that does not answer, and says that the time was over", async () => {
      const { chain, provider } = await world();
      chain.setFaults(() => "silence");
      const once = { ...ONCE, timeoutMs: SILENCE_NOTICED_MS };
      const error = await provider.request("eth_chainId", [], once).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(TransportError);
      expect(error).toMatchObject({ timedOut: true });
      chain.setFaults(undefined);
      expect(await provider.request("eth_chainId", [])).toBe("0x63");
    });

    it("asks nothing for a caller whose deadline is over, and waits for no answer beyond it", async () => {
      const { chain, provider } = await world();
      const failing = (deadlineMs: number) =>
        provider.request("eth_chainId", [], { deadlineMs }).catch((caught: unknown) => caught);
      expect(await failing(Date.now() - 1)).toBeInstanceOf(TransportError);
      expect(chain.requests()).toBe(0);
      chain.setFaults(() => "silence");
      const began = performance.now();
      expect(await failing(Date.now() + DEADLINE_MS)).toBeInstanceOf(TransportError);
      expect(performance.now() - began).toBeLessThan(PATIENCE_MS / 2);
      expect(chain.requests()).toBeGreaterThan(0);
    });

    it("tells that a node has had too many requests", async () => {
      const { chain, provider } = await world();
      chain.setFaults(() => "limit");
      const error = await provider.request("eth_chainId", [], ONCE).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(TransportError);
      expect(error).toMatchObject({ limited: true, retryAfterMs: 1_000 });
    });

    it("wakes every listener at a new head until it is taken off", async () => {
      const { chain, provider } = await world();
      const heard = [0, 0];
      const [endFirst, endSecond] = [0, 1].map((index) => provider.onHeadHint(() => heard[index]!++));
      chain.announce();
      await until(() => heard[0]! > 0 && heard[1]! > 0);
      endFirst!();
      const before = heard[0];
      const second = heard[1]!;
      chain.announce();
      await until(() => heard[1]! > second);
      expect(heard[0]).toBe(before);
      endSecond!();
    });

    it("is closed twice without harm", async () => {
      const { provider } = await world();
      provider.close();
      expect(() => provider.close()).not.toThrow();
    });
  });
}
