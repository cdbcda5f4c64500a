import { startChain } from "../../chain/chain.ts";
import { readTokenListFile } from "../../chain/chains/token-list-file.ts";
import { eligibilityOf } from "../../compose/eligibility.ts";
import { saveMarket, tokensOf } from "../../compose/snapshot-market.ts";
import { createLogger } from "../../ops/logger.ts";
import { createRevertReader } from "../../settlement/revert-reason.ts";
import { checkSnapshotPlace, SnapshotFileError, writeSnapshotFile } from "../../snapshot/file.ts";
import { createSources } from "../../venues/index.ts";
import { EXIT, type ExitCode, type Invocation, UsageError } from "../command.ts";
import { connectToNode } from "../connection/node-connection.ts";
import { withProgress } from "../connection/progress.ts";

export async function snapshot(given: Invocation): Promise<ExitCode> {
  const [file] = given.positionals;
  if (file === undefined || given.positionals.length !== 1) {
    throw new UsageError("name the file to write: JSON when it ends in .json, else protobuf's binary form");
  }
  try {
    checkSnapshotPlace(file);
  } catch (error) {
    throw error instanceof SnapshotFileError ? new UsageError(error.message) : error;
  }
  const { config, record, provider } = await connectToNode(given);
  provider.close();
  const sources = createSources(record);
  const listed = config.TOKEN_LIST === undefined ? [] : readTokenListFile(config.TOKEN_LIST, record.chainId).tokens;
  const chain = await startChain({
    // Nobody else waits for the node.
    lookups: { apartMs: 0 },
    record,
    rpcUrls: config.RPC_URL,
    wsUrls: config.WS_URL,
    quorum: config.RPC_QUORUM,
    proveLogs: config.PROVE_LOGS,
    sources,
    tokens: listed,
    eligibility: eligibilityOf(config, record, listed, sources),
    explainRevert: createRevertReader(sources).reason,
    logger: createLogger(config.LOG_LEVEL === "info" ? "warn" : config.LOG_LEVEL),
  });
  try {
    const taken = await withProgress("reading the pools", given.note, chain.firstSnapshot);
    const tokens = await withProgress("reading the tokens", given.note, tokensOf(taken, chain.registry));
    const saved = saveMarket(taken, {
      wrappedNative: record.wrappedNative,
      referenceTokens: record.referenceTokens,
      sources: new Map(sources.map((source) => [source.id, source])),
      tokens,
    });
    writeSnapshotFile(file, saved);
    const { number, hash } = taken.block;
    given.print(`${saved.pools.length} pools, ${saved.tokens.length} tokens at block ${number} ${hash} in ${file}`);
    return EXIT.ok;
  } finally {
    await chain.stop();
  }
}
