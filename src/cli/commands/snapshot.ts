import { readTokenListFile } from "../../chain/chains/token-list-file.ts";
import { followChain } from "../../compose/followed-chain.ts";
import { saveMarket, snapshotTokens } from "../../compose/snapshot-market.ts";
import { createLogger } from "../../ops/logger.ts";
import { checkSnapshotPlace, SnapshotFileError, writeSnapshotFile } from "../../snapshot/file.ts";
import { EXIT, type ExitCode, type Invocation, UsageError } from "../command.ts";
import { connectToNode } from "../connection/node-connection.ts";
import { withProgress } from "../connection/progress.ts";

export async function snapshot(given: Invocation): Promise<ExitCode> {
  const [file] = given.positionals;
  if (file === undefined || given.positionals.length !== 1) {
    throw new UsageError("name the file to write: JSON if it ends in .json, else binary protobuf");
  }
  try {
    checkSnapshotPlace(file);
  } catch (error) {
    throw error instanceof SnapshotFileError ? new UsageError(error.message) : error;
  }
  const { config, record, provider } = await connectToNode(given);
  provider.close();
  const tokenList = config.TOKEN_LIST;
  const { chain, sources } = await followChain(
    config,
    {
      record,
      rpcUrls: config.RPC_URL,
      wsUrls: config.WS_URL,
      tokens: tokenList === undefined ? [] : readTokenListFile(tokenList, record.chainId).tokens,
    },
    createLogger(config.LOG_LEVEL === "info" ? "warn" : config.LOG_LEVEL),
    // Nobody else waits for the node.
    { lookups: { apartMs: 0 } },
  );
  try {
    const taken = await withProgress("reading the pools", given.note, chain.firstSnapshot);
    const tokens = await withProgress("reading the tokens", given.note, snapshotTokens(taken, chain.registry));
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
