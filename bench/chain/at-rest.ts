/**
 * Requests to a node while nobody calls, by method: `node bench/chain/at-rest.ts [--seconds 60] [--block-seconds 2]`.
 * The devnet's chain makes blocks with trades; the provider in front of it counts. Prints the monthly cost at
 * providers' prices as well.
 */
import { parseArgs } from "node:util";
import { startImitatedProvider } from "../../fixtures/node/imitated-provider.ts";
import { startChain } from "../../src/chain/chain.ts";
import { startDevnet } from "../../src/devnet/devnet.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { createSources } from "../../src/venues/index.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    "block-seconds": { type: "string", default: "2" },
    ws: { type: "boolean", default: false },
  },
});
const seconds = Number(values.seconds);
const blockSeconds = Number(values["block-seconds"]);
const MONTH_SECONDS = 30 * 86_400;

/** Units of a method as providers count them, by their public tables (2025). */
const ALCHEMY_UNITS: Readonly<Record<string, number>> = {
  eth_getLogs: 60,
  eth_call: 26,
  eth_getBlockByNumber: 20,
  eth_getBlockByHash: 20,
  eth_gasPrice: 20,
  eth_getCode: 20,
  eth_simulateV1: 40,
};
const INFURA_UNITS: Readonly<Record<string, number>> = {
  eth_getLogs: 255,
  eth_call: 80,
  eth_getBlockByNumber: 80,
  eth_getBlockByHash: 80,
  eth_gasPrice: 80,
  eth_getCode: 80,
  eth_simulateV1: 300,
};
const QUICKNODE_UNITS = 20;

const devnet = await startDevnet({ port: 0, traffic: true, blockTimeSeconds: blockSeconds });
const provider = await startImitatedProvider(devnet.rpcUrl, {}, devnet.wsUrl);
const record = { ...devnet.chain, blockTimeMs: blockSeconds * 1_000 };
const sources = createSources(record);
const chain = await startChain({
  ...{ record, rpcUrls: [provider.url], sources, tokens: devnet.tokens, logger: createLogger("warn") },
  ...(values.ws && { wsUrls: [provider.wsUrl] }),
  explainRevert: (data) => data,
});
await chain.firstSnapshot;
// Reads at the start are no idle requests.
await new Promise((resolve) => setTimeout(resolve, 15_000));
const before = new Map(provider.seen);
await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
const perSecond = new Map(
  [...provider.seen].map(([method, count]) => [method, (count - (before.get(method) ?? 0)) / seconds]),
);
const { pools } = chain.status();
await chain.stop();
await provider.stop();
await devnet.stop();

const total = [...perSecond.values()].reduce((sum, rate) => sum + rate, 0);
const unitsOf = (units: Readonly<Record<string, number>>, other: number) =>
  [...perSecond].reduce((sum, [method, rate]) => sum + rate * (units[method] ?? other), 0) * MONTH_SECONDS;
const millions = (units: number) => `${(units / 1e6).toFixed(0)} M`;
console.log(
  `${pools} pools, blocks of ${blockSeconds} s: ${total.toFixed(2)} requests/s, ${(total * blockSeconds).toFixed(1)} a block`,
);
for (const [method, rate] of [...perSecond].sort((a, b) => b[1] - a[1]))
  if (rate > 0) console.log(`  ${method.padEnd(24)} ${rate.toFixed(2)}/s`);
console.log(
  `a month: ${millions(total * MONTH_SECONDS)} requests; Alchemy ${millions(unitsOf(ALCHEMY_UNITS, 20))} compute units, Infura ${millions(unitsOf(INFURA_UNITS, 80))} credits, QuickNode ${millions(total * QUICKNODE_UNITS * MONTH_SECONDS)} credits`,
);
