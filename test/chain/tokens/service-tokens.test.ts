import { describe, expect, it } from "vitest";
import { TEST_TOKENS } from "../../../fixtures/door/test-network.ts";
import { addressOf } from "../../../fixtures/routing/pools.ts";
import type { ChainRecord } from "../../../src/chain/chains/chain-record.ts";
import { createServiceTokens } from "../../../src/chain/tokens/service-tokens.ts";
import { type Address, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import type { Token } from "../../../src/domain/token.ts";
import type { TokenList } from "../../../src/domain/token-list.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import { againstTokenListSchema } from "../chains/token-list-schema.ts";

const [WRAPPED, HUB, REFERENCE, LEAF, WORTHLESS, BARRED, SPAM] = [1, 2, 3, 4, 5, 6, 7].map((n) => addressOf(n)) as [
  ...[Address, Address, Address, Address, Address, Address, Address],
];
const RECORD = {
  chainId: 31337,
  name: "Chain no. 1",
  native: { symbol: "ETH", name: "Ether" },
  wrappedNative: WRAPPED,
  referenceTokens: [REFERENCE],
} as unknown as ChainRecord;
/** The hub is in most pools; what a stranger has made up is in many, and worth nothing. */
const POOLS = [
  ...[LEAF, WORTHLESS, BARRED, REFERENCE, WRAPPED].map((token) => [HUB, token]),
  ...Array.from({ length: 20 }, (_, i) => [SPAM, addressOf(100 + i)]),
].map((tokens) => ({ tokens }));
const SNAPSHOT = {
  graph: { chunks: () => [POOLS, [undefined]] },
  rates: {
    perNative: (token: Address) => ([HUB, LEAF, BARRED, WRAPPED].includes(token) ? { num: 1n, den: 1n } : undefined),
  },
} as unknown as Snapshot;

function open(listed?: TokenList) {
  const state = { now: 1_700_000_000_000, down: new Set<Address>(), asked: [] as Address[] };
  const tokens = createServiceTokens({
    record: RECORD,
    listed,
    registry: {
      async find(address): Promise<Token | undefined> {
        state.asked.push(address);
        if (state.down.has(address)) throw new Error("the node is down");
        return { address, symbol: `T ${address.slice(-1)}`, name: "A token", decimals: 18 };
      },
    },
    verdicts: { keptOut: () => new Map([[BARRED, "moves less than it says"]]) },
    now: () => state.now,
  });
  const shown = () => tokens.list().tokens.map(({ address }) => address.toLowerCase());
  return { state, tokens, shown };
}

describe("without a list of the operator's", () => {
  it("the native token is there before anything is known, and the list is valid", () => {
    const { tokens, shown } = open();
    expect(shown()).toEqual([NATIVE_TOKEN]);
    expect(againstTokenListSchema(tokens.list())).toEqual([]);
  });

  it("then its wrapped form, reference tokens, and those of value that share pools with most others", async () => {
    const { tokens, shown } = open();
    await tokens.look(SNAPSHOT);
    expect(shown()).toEqual([NATIVE_TOKEN, WRAPPED, REFERENCE, HUB, LEAF]);
    expect(againstTokenListSchema(tokens.list())).toEqual([]);
    expect(tokens.list()).toMatchObject({ name: "Chain no 1", version: { major: 1, minor: 0, patch: 1 } });
  });

  it("a token that cannot be read now comes later; a list that stays is the same object", async () => {
    const { state, tokens, shown } = open();
    state.down.add(HUB);
    await tokens.look(SNAPSHOT);
    expect(shown()).toEqual([NATIVE_TOKEN, WRAPPED, REFERENCE, LEAF]);
    state.down.clear();
    state.now += 10_000;
    await tokens.look(SNAPSHOT);
    expect(shown()).toContain(HUB);
    const list = tokens.list();
    const asked = state.asked.length;
    state.now += 60_000;
    await tokens.look(SNAPSHOT);
    expect(state.asked.length).toBe(asked);
    state.now += 300_000;
    await tokens.look(SNAPSHOT);
    expect(state.asked.length).toBeGreaterThan(asked);
    expect(tokens.list()).toBe(list);
  });
});

describe("with a list of the operator's", () => {
  it("it is shown as it is, and nothing is asked", async () => {
    const { state, tokens } = open(TEST_TOKENS);
    await tokens.look(SNAPSHOT);
    expect(tokens.list()).toBe(TEST_TOKENS);
    expect(state.asked).toEqual([]);
  });

  it("the native token is put first where it lacks it", () => {
    const { tokens, shown } = open({ ...TEST_TOKENS, tokens: TEST_TOKENS.tokens.slice(1) });
    expect(shown()[0]).toBe(NATIVE_TOKEN);
    expect(tokens.list().tokens.slice(1)).toEqual(TEST_TOKENS.tokens.slice(1));
  });

  it("one without a token of this chain counts as none", async () => {
    const { tokens, shown } = open({ ...TEST_TOKENS, tokens: [] });
    await tokens.look(SNAPSHOT);
    expect(shown()).toContain(HUB);
  });
});
