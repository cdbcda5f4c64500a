/**
 * Writes devnet.bin beside it: the pools of a devnet on which nobody has traded, read as `tributary snapshot` reads them.
 *
 *   node bench/universes/save-devnet.ts
 */
import { fileURLToPath } from "node:url";
import { startChain } from "../../src/chain/chain.ts";
import { saveMarket, snapshotTokens } from "../../src/compose/snapshot-market.ts";
import { startDevnet } from "../../src/devnet/devnet.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { createRevertReader } from "../../src/settlement/revert-reason.ts";
import { writeSnapshotFile } from "../../src/snapshot/file.ts";
import { createSources } from "../../src/venues/index.ts";

const file = fileURLToPath(new URL("devnet.bin", import.meta.url));
const devnet = await startDevnet({ port: 0, traffic: false, blockTimeSeconds: undefined });
try {
  const { chain: record, rpcUrl, tokens: listed } = devnet;
  const sources = createSources(record);
  const chain = await startChain({
    lookups: { apartMs: 0 },
    record,
    rpcUrls: [rpcUrl],
    wsUrls: [],
    quorum: 1,
    proveLogs: false,
    sources,
    tokens: listed,
    explainRevert: createRevertReader(sources).reason,
    logger: createLogger("warn"),
  });
  try {
    const snapshot = await chain.firstSnapshot;
    const { wrappedNative, referenceTokens } = record;
    const tokens = await snapshotTokens(snapshot, chain.registry);
    const catalog = new Map(sources.map((source) => [source.id, source]));
    writeSnapshotFile(file, saveMarket(snapshot, { wrappedNative, referenceTokens, sources: catalog, tokens }));
    console.log(`${snapshot.graph.all().length} pools of block ${snapshot.block.number}`);
  } finally {
    await chain.stop();
  }
} finally {
  await devnet.stop();
}
