import { randomBytes } from "node:crypto";
import type { Registry } from "prom-client";
import type { Chain } from "../chain/chain.ts";
import type { ChainRecord } from "../chain/chains/chain-record.ts";
import type { Devnet } from "../devnet/devnet.ts";
import type { MakerProcess } from "../devnet/maker/own-process.ts";
import { makersFileOf } from "../devnet/maker/records.ts";
import { OWN_NAMES } from "../domain/source.ts";
import { PERMIT2 } from "../domain/terms/typed-data.ts";
import type { MakerRecord } from "../makers/maker-record.ts";
import { createMakers, type Makers } from "../makers/makers.ts";
import { type MakersChain, parseMakers, readMakersFile } from "../makers/makers-file.ts";
import { Signers } from "../makers/signer.ts";
import { type Config, ConfigError, ofOption } from "../ops/config.ts";
import type { Logger } from "../ops/logger.ts";
import { addMakerMetrics } from "../ops/maker-metrics.ts";
import { readOncePerBlock } from "../quoting/quote/read-once.ts";
import { allContracts, settlementContracts } from "../settlement/contracts.ts";
import { makerOrderDigest } from "../settlement/maker-order-digest.ts";

/** Longest wait for the first levels of the devnet's makers before the service counts as ready, ms. */
const FIRST_LEVELS_MS = 5_000;

/** The devnet's own maker, opened in its process, as makers of the service. */
export async function openReferenceMaker(
  { rpcUrl, chain }: Devnet,
  own: MakerProcess,
): Promise<readonly MakerRecord[]> {
  const settlement = settlementContracts(chain.wrappedNative).orders.address;
  const authorization = `Bearer ${randomBytes(24).toString("base64url")}`;
  const maker = await own.open({ rpcUrl, settlement, authorization });
  return parseMakers(makersFileOf(maker, settlement), makersChain(chain));
}

/**
 * Those of the operator's file, and `own`, which belong to the chain itself.
 * @throws ConfigError when the file is unusable
 */
export function recordsOf(
  { MAKERS_FILE: file, MAKER_LEVELS_MAX_AGE_MS: mostAgeMs }: Config,
  record: ChainRecord,
  own: readonly MakerRecord[],
): readonly MakerRecord[] {
  const named = file === undefined ? [] : ofOption("MAKERS_FILE", () => readMakersFile(file, makersChain(record)));
  const records = [...own, ...named];
  for (const { name, levels } of records) {
    if (levels?.transport === "poll" && levels.everyMs >= mostAgeMs) {
      const why = `its pollEveryMs is ${levels.everyMs}, but levels last for MAKER_LEVELS_MAX_AGE_MS, ${mostAgeMs}`;
      throw new ConfigError([`MAKERS_FILE: ${name}: ${why}: poll more often`]);
    }
  }
  const taken = new Set([...OWN_NAMES, ...record.venues.map(({ source }) => source.toLowerCase())]);
  for (const { name } of records) {
    if (taken.has(name.toLowerCase())) {
      throw new ConfigError([`MAKERS_FILE: there is a source ${name} already: give the maker another name`]);
    }
    taken.add(name.toLowerCase());
  }
  return records;
}

/** Chain of makers' entries, with the contracts that hold rights over other people's tokens there. */
function makersChain({ chainId, wrappedNative }: Pick<ChainRecord, "chainId" | "wrappedNative">): MakersChain {
  const contracts = settlementContracts(wrappedNative);
  const own = allContracts(contracts).map(({ address }) => address);
  return { chainId, settlement: contracts.orders.address, never: [...own, PERMIT2, wrappedNative] };
}

/** Makers that are followed, asked and measured. */
export function startMakers(
  records: readonly MakerRecord[],
  parts: {
    readonly config: Config;
    readonly chain: Chain;
    readonly record: ChainRecord;
    readonly registry: Registry;
    /** Milliseconds, of a clock that never goes back. */
    readonly elapsed: () => number;
  },
  logger: Logger,
): Makers {
  const { config, chain, record, registry, elapsed } = parts;
  const { chainId } = record;
  const contracts = settlementContracts(record.wrappedNative);
  const settlement = contracts.orders.address;
  const { answered } = addMakerMetrics(registry, () => makers.figures());
  const makers = createMakers({
    records,
    check: {
      chainId,
      executor: contracts.executor.address,
      settlement,
      digestOf: (order) => makerOrderDigest(order, chainId, settlement),
      signers: new Signers(),
      accounts: readOncePerBlock(chain.accounts),
    },
    deadlineMs: config.MAKER_DEADLINE_MS,
    levelsMaxAgeMs: config.MAKER_LEVELS_MAX_AGE_MS,
    decimalsOf: (token) => chain.registry.known(token)?.decimals,
    elapsed,
    now: Date.now,
    logger,
    onAnswer: answered,
  });
  return makers;
}

/** Resolves when the makers have told their first levels, or should have; at once where none is waited for. */
export async function firstLevels(makers: Makers, awaited: number): Promise<void> {
  if (awaited === 0) return;
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, FIRST_LEVELS_MS);
  });
  await Promise.race([makers.firstLevels, end]);
  clearTimeout(timer);
}
