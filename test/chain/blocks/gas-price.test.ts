import { describe, expect, it } from "vitest";
import { createGasPrices } from "../../../src/chain/blocks/gas-price.ts";
import type { Provider } from "../../../src/chain/rpc/provider.ts";

const GWEI = 10n ** 9n;
const ABSURD = `0x${"f".repeat(64)}`;
const BASE = { baseFeePerGas: GWEI };

/** A node whose suggestions are these, one after another; the last for ever. Undefined is a refusal. */
function node(...answers: readonly unknown[]): Provider {
  let asked = 0;
  return {
    async request() {
      const answer = answers[Math.min(asked++, answers.length - 1)];
      if (answer === undefined) throw new Error("refused");
      return typeof answer === "bigint" ? `0x${answer.toString(16)}` : answer;
    },
    onHeadHint: () => () => {},
    close() {},
  };
}

async function priced(count: number, followed: Provider, ...others: readonly Provider[]): Promise<readonly bigint[]> {
  const priceAfter = createGasPrices(followed, () => others);
  const prices: bigint[] = [];
  for (let block = 0; block < count; block++) {
    prices.push(await priceAfter(BASE));
    await new Promise(setImmediate);
  }
  return prices;
}

describe("the price of gas", () => {
  it("is what the node suggests, and never below the base fee", async () => {
    expect(await priced(3, node(3n * GWEI, 5n * GWEI, 4n * GWEI))).toEqual([3n * GWEI, 5n * GWEI, 4n * GWEI]);
    expect(await priced(2, node(1n))).toEqual([GWEI, GWEI]);
  });

  it("without a suggestion is the usual one or, at first, what the base fee may rise to", async () => {
    expect(await priced(2, node(undefined))).toEqual([(GWEI * 9n) / 8n, (GWEI * 9n) / 8n]);
    expect(await priced(3, node(3n * GWEI, undefined, "0x"))).toEqual([3n * GWEI, 3n * GWEI, 3n * GWEI]);
  });

  it("is not moved far by one absurd answer", async () => {
    expect(await priced(4, node(3n * GWEI, ABSURD, 3n * GWEI))).toEqual([3n, 6n, 3n, 3n].map((price) => price * GWEI));
    const low = await priced(3, node(8n * GWEI, 0n, 8n * GWEI));
    expect(low).toEqual([8n, 4n, 8n].map((price) => price * GWEI));
  });

  it("comes along where it really rises", async () => {
    const prices = await priced(12, node(GWEI, 1_000n * GWEI));
    expect(prices.at(-1)).toBe(1_000n * GWEI);
    const priceAfter = createGasPrices(node(0n, 0n, 5n * GWEI));
    const free = { baseFeePerGas: undefined };
    expect([await priceAfter(free), await priceAfter(free), await priceAfter(free)]).toEqual([0n, 0n, 5n * GWEI]);
  });

  it("is at most twice what most nodes say, however long one insists", async () => {
    const honest = () => node(3n * GWEI);
    for (const price of await priced(50, node(ABSURD), honest(), honest())) expect(price).toBe(6n * GWEI);
    for (const price of await priced(50, node(ABSURD), honest())) expect(price).toBe(6n * GWEI);
    for (const price of await priced(50, node(0n), honest(), honest())) expect(price).toBe((3n * GWEI) / 2n);
    for (const price of await priced(50, honest(), node(ABSURD), honest())) expect(price).toBe(3n * GWEI);
  });

  it("does not wait for other nodes but the first time", async () => {
    let silent = false;
    const other: Provider = {
      ...node(3n * GWEI),
      request: () => (silent ? new Promise(() => {}) : Promise.resolve("0xb2d05e00")),
    };
    const priceAfter = createGasPrices(node(3n * GWEI), () => [other]);
    await priceAfter(BASE);
    silent = true;
    expect(await priceAfter(BASE)).toBe(3n * GWEI);
  });
});
