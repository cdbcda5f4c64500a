import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestDevnet, type TestDevnet } from "../../support/worlds/devnet.ts";
import { type ProviderWorld, startProviderWorld } from "../../support/worlds/provider-world.ts";

let devnet: TestDevnet;
let world: ProviderWorld | undefined;
beforeAll(async () => {
  devnet = await startTestDevnet("settled");
});
afterEach(() => world?.stop());
afterAll(() => devnet?.stop());

const EXPIRED = { code: -32000, message: "API key expired" };
const SPENT = { code: -32005, message: "daily request count exceeded, request rate limited" };

describe("of two nodes", () => {
  it.each([
    ["an expired key", EXPIRED],
    ["a spent quota", SPENT],
  ])("one that refuses everything for %s is named, and the other is asked", async (_, error) => {
    world = await startProviderWorld(devnet, [{}, { errors: { "*": error } }]);
    for (let quote = 0; quote < 3; quote++) {
      expect((await world.quoteNative()).issues.simulationIncomplete).toBe(false);
    }
    const [first, second] = world.chain.status().nodes;
    expect(first).toMatchObject({ state: "well", refusal: undefined });
    expect(second).toMatchObject({ state: "refusing" });
    expect(second!.refusal).toContain("refuses the account");
  });

  it("the one that is followed gives way when its key expires, and is used again when it is paid for", async () => {
    world = await startProviderWorld(devnet, [{}, {}]);
    world.providers[0]!.set({ errors: { "*": EXPIRED } });
    const { chain } = world;
    await expect.poll(() => chain.status().nodes.map(({ followed }) => followed)).toEqual([false, true]);
    expect((await world.quoteNative()).issues.simulationIncomplete).toBe(false);
    // A node that was slow to refuse rests first.
    await expect.poll(() => chain.status().nodes[0]!.state).toBe("refusing");
  });

  it.each([
    ["the second", [{}, { missing: ["eth_simulateV1"] }]],
    ["the first", [{ missing: ["eth_simulateV1"] }, {}]],
    [
      "the second, by its plan",
      [
        {},
        { errors: { eth_simulateV1: { code: -32600, message: "eth_simulateV1 is not available on the Free tier" } } },
      ],
    ],
    ["the second, in words of its own", [{}, { errors: { eth_simulateV1: { code: -32000, message: "no" } } }]],
  ])("%s may lack eth_simulateV1: quotes and tokens are tried on the other", async (_, traits) => {
    world = await startProviderWorld(devnet, traits);
    const lacking = traits.findIndex((each) => Object.keys(each).length > 0);
    for (let quote = 0; quote < 6; quote++) {
      expect((await world.quoteNative(10n ** 17n + BigInt(quote))).issues.simulationIncomplete).toBe(false);
    }
    const { nodes, tokens } = world.chain.status();
    expect(nodes[lacking]!.state).toBe("well");
    expect(tokens.untestable).toBe(0);
    // Once it is known, nobody asks there any more.
    const asked = world.providers[lacking]!.seen.get("eth_simulateV1") ?? 0;
    expect(asked).toBeLessThanOrEqual(12);
    for (let quote = 0; quote < 3; quote++) await world.quoteNative(10n ** 16n + BigInt(quote));
    expect(world.providers[lacking]!.seen.get("eth_simulateV1") ?? 0).toBeLessThanOrEqual(asked + 1);
  });
});

describe("a node alone", () => {
  it("that refuses, redirects or shows pages is told in the status, with the method, and followed when it does not", async () => {
    world = await startProviderWorld(devnet, [{ errors: { "*": EXPIRED } }], { isPatient: false });
    const { chain, providers } = world;
    const [provider] = providers;
    const said = (words: RegExp) => expect.poll(() => chain.status().lastError).toMatch(words);
    await said(/^eth_\w+: the provider refuses the account: look at its key, plan and quota \(code -32000\)$/);
    expect(chain.status().nodes[0]).toMatchObject({ state: "refusing" });
    for (const [status, words] of [
      [401, "not authorized: look at the key"],
      [402, "payment required: the provider's quota is spent"],
      [403, "forbidden: look at the key, the plan"],
      [404, "not found: look at the path"],
    ] as const) {
      provider!.set({ status });
      await said(new RegExp(`^eth_\\w+: HTTP ${status}, ${words}`));
    }
    provider!.set({ redirect: "http://127.0.0.1:1/" });
    await said(/^eth_\w+: HTTP 302, a redirect: set the node's URL/);
    provider!.set({ page: true });
    await said(/^eth_\w+: the answer is a page \(HTML\)/);
    provider!.set({ truncated: true });
    await said(/^eth_\w+: the answer is not JSON, or cut off/);
    provider!.set({});
    await chain.firstSnapshot;
    await expect.poll(() => chain.status().nodes[0]!.state).toBe("well");
  });
});
