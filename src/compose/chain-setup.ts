import type { ChainRecord } from "../chain/chains/chain-record.ts";
import { readChainRecord } from "../chain/chains/known-chains.ts";
import { readTokenListFile, type TokenListFile } from "../chain/chains/token-list-file.ts";
import { devnetChain } from "../devnet/chain.ts";
import { deploySettlementOn } from "../devnet/contracts/deploy-settlement.ts";
import { type Devnet, startDevnet } from "../devnet/devnet.ts";
import { MakerProcess } from "../devnet/maker/own-process.ts";
import { devnetLayout } from "../devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../devnet/node/accounts.ts";
import type { Token } from "../domain/token.ts";
import type { TokenList } from "../domain/token-list.ts";
import type { MakerRecord } from "../makers/maker-record.ts";
import { type Config, ofOption } from "../ops/config.ts";
import type { Logger } from "../ops/logger.ts";
import { VENUES } from "../venues/index.ts";
import { openReferenceMaker } from "./makers.ts";

/** The chain to serve: its node, its record and its tokens. */
export interface ChainSetup {
  readonly record: ChainRecord;
  readonly rpcUrls: readonly string[];
  readonly wsUrls: readonly string[];
  readonly tokens: readonly Token[];
  /** The operator's, or the devnet's own. */
  readonly tokenList: TokenList | undefined;
  /** Makers that belong to the chain itself: the devnet's own. */
  readonly makers: readonly MakerRecord[];
}

const DEVNET_BLOCK_SECONDS = 2;

/** Whether a configuration names a chain; without one the devnet is served. */
export function namesChain({ CHAIN: name, CHAIN_FILE: file }: Config): boolean {
  return name !== undefined || file !== undefined;
}

/** The record of the chain that a configuration is for. @throws ConfigError */
export function configuredChain(config: Config): ChainRecord {
  const { CHAIN: name, CHAIN_FILE: file } = config;
  if (!namesChain(config)) return devnetChain(devnetLayout(devnetAccounts().whale), 0);
  return ofOption(file === undefined ? "CHAIN" : "CHAIN_FILE", () => readChainRecord({ name, file }, VENUES));
}

/** The token list that a configuration names; the devnet brings one of its own. @throws ConfigError */
export function configuredTokens(config: Config, { chainId }: ChainRecord): TokenListFile | undefined {
  const { TOKEN_LIST: file } = config;
  if (file === undefined || !namesChain(config)) return undefined;
  return ofOption("TOKEN_LIST", () => readTokenListFile(file, chainId));
}

/** The node that the operator names, or a devnet of our own. */
export async function findChain(
  config: Config,
  logger: Logger,
  onStarted: (stop: Devnet["stop"]) => void,
): Promise<ChainSetup> {
  const { RPC_URL: rpcUrls, WS_URL: wsUrls } = config;
  if (rpcUrls.length > 0) {
    const record = configuredChain(config);
    const tokenFile = configuredTokens(config, record);
    const { tokens = [], list: tokenList } = tokenFile ?? {};
    return { record, rpcUrls, wsUrls, tokens, tokenList, makers: [] };
  }
  const makerProcess = config.DEVNET_MAKER ? new MakerProcess(logger) : undefined;
  if (makerProcess !== undefined) onStarted(() => makerProcess.stop());
  const devnet = await startDevnet({
    port: config.DEVNET_PORT,
    traffic: config.DEVNET_TRAFFIC,
    blockTimeSeconds: DEVNET_BLOCK_SECONDS,
    logger,
  });
  let isEnding = false;
  onStarted(() => {
    isEnding = true;
    return devnet.stop();
  });
  void devnet.exited.then(() => {
    if (!isEnding) logger.error("the devnet's node has ended by itself: there is no chain any more, start again");
  });
  await deploySettlementOn(devnet);
  const { chain: record, tokens, tokenList } = devnet;
  const place = { record, rpcUrls: [devnet.rpcUrl], wsUrls: [devnet.wsUrl], tokens, tokenList };
  return { ...place, makers: makerProcess === undefined ? [] : await openReferenceMaker(devnet, makerProcess) };
}
