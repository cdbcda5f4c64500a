import { expect, it } from "vitest";
import { systemClock } from "../../../src/chain/rpc/clock.ts";
import { parseHeader } from "../../../src/chain/rpc/codec.ts";
import { createProvider } from "../../../src/chain/rpc/provider.ts";
import { createChainReader } from "../../../src/chain/rpc/reader.ts";
import { discover } from "../../../src/chain/search/discovery.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { createSources } from "../../../src/venues/index.ts";
import { useDevnet } from "../../support/worlds/devnet.ts";

const devnet = useDevnet();

it("factories name the pools of two tokens that their logs announced", async () => {
  const { chain: record, rpcUrl, tokens } = devnet();
  const provider = createProvider({ url: rpcUrl, timeoutMs: 30_000, logger: createLogger("silent") });
  const reader = createChainReader(provider, record);
  const head = parseHeader(await provider.request("eth_getBlockByNumber", ["latest", false]));
  const asked = createSources(record).filter(({ between }) => between !== undefined);
  const found = await discover({
    ...{ reader, sources: asked, record, to: head, clock: systemClock },
    headerOf: async () => head,
  });
  const listed = new Set(tokens.map(({ address }) => address));
  let compared = 0;
  for (const source of asked) {
    const announced = found.filter((entry) => entry.source === source).map(({ ref }) => ref);
    const wanted = announced.filter(({ tokens: held }) => held.every((token) => listed.has(token)));
    const named = await source.between!(reader, [...listed], head);
    const byId = (refs: typeof named) => [...refs].sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(byId(named), source.id).toEqual(byId(wanted));
    compared += named.length;
  }
  expect(asked.map(({ id }) => id).sort()).toEqual(["PancakeSwap_V2", "PancakeSwap_V3", "Uniswap_V2", "Uniswap_V3"]);
  expect(compared).toBeGreaterThan(20);
  provider.close();
});
