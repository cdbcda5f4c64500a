import { existsSync } from "node:fs";
import { join } from "node:path";
import { createBlocks } from "../../chain/blocks/blocks.ts";
import { systemClock } from "../../chain/rpc/clock.ts";
import { createChainReader } from "../../chain/rpc/reader.ts";
import { importPools } from "../../chain/search/import-pools.ts";
import { createStateKeeper, termsOf } from "../../chain/state/state-keeper.ts";
import { configuredChain } from "../../compose/chain-setup.ts";
import { createLogger } from "../../ops/logger.ts";
import {
  BootstrapFileError,
  type BootstrapPool,
  readBootstrapFile,
  writeBootstrapFile,
} from "../../snapshot/bootstrap-file.ts";
import { openCatalog } from "../../stores/open-stores.ts";
import { createSources } from "../../venues/index.ts";
import { EXIT, type ExitCode, type Invocation, UsageError } from "../command.ts";
import { configurationOf } from "../connection/configuration.ts";
import { connectToNode } from "../connection/node-connection.ts";

/** States are read so far below the head that they are not expected to go, and nodes still have them. */
const BASE_DEPTH = 16n;
const TOLD_EVERY = 10_000;

const keeperOf = (folder: string, record: ReturnType<typeof configuredChain>, readOnly: boolean) =>
  createStateKeeper({ folder, record, clock: systemClock, logger: createLogger("warn"), readOnly });

/** Writes what a service has discovered; it may be running. */
export async function bootstrapExport(given: Invocation): Promise<ExitCode> {
  const file = fileOf(given);
  if (existsSync(file)) throw new UsageError(`${file} is there already: name a new file`);
  const config = configurationOf(given);
  const record = configuredChain(config);
  const state = await keeperOf(config.DATA_DIR, record, true).load();
  if (state === undefined)
    throw new UsageError(`${config.DATA_DIR} has no pools of ${record.name}: run the service first`);
  const catalog = openCatalog(config.DATA_DIR, record.chainId, (error) => {
    // It is for the service to begin anew.
    throw error;
  });
  // Pools of venues that nobody can be asked for would be left out by whoever imports them.
  const sound = new Map(
    createSources(record).flatMap((source) => (source.isSound ? [[source.id, source.isSound]] : [])),
  );
  const isTaken = ({ source, ref }: Pick<BootstrapPool, "source" | "ref">) => sound.get(source)?.(ref) === true;
  function* pools(): Generator<BootstrapPool> {
    for (const { source, ref, asleep } of state?.pools ?? [])
      if (isTaken({ source, ref })) yield { source, ref, isAwake: asleep !== true };
    for (const pool of catalog.all()) if (isTaken(pool)) yield { ...pool, isAwake: false };
  }
  try {
    const count = await writeBootstrapFile(file, { chainId: record.chainId, block: state.block.number }, pools());
    given.print(`${count} pools up to block ${state.block.number} in ${file}`);
    return EXIT.ok;
  } finally {
    catalog.close();
  }
}

/** Takes what another service has discovered, as far as the chain confirms it. No service may be running on the folder. */
export async function bootstrapImport(given: Invocation): Promise<ExitCode> {
  const file = fileOf(given);
  const { config, record, provider } = await connectToNode(given);
  const keeper = keeperOf(config.DATA_DIR, record, false);
  if (existsSync(join(config.DATA_DIR, `pools-${record.chainId}.state`))) {
    throw new UsageError(`${config.DATA_DIR} has pools of ${record.name} already: import into a new DATA_DIR`);
  }
  const catalog = openCatalog(config.DATA_DIR, record.chainId, (error) => given.note(String(error)));
  const sources = createSources(record);
  const blocks = createBlocks(provider, record);
  try {
    await catalog.begin(new Map(sources.map(({ id }) => [id, termsOf(record)(id)])), () => false);
    const imported = await importPools(readBootstrapFile(file, record.chainId), {
      ...{ reader: createChainReader(provider, record), sources, catalog },
      async base() {
        const { number } = await blocks.latest();
        return blocks.byNumber(number > BASE_DEPTH ? number - BASE_DEPTH : 0n);
      },
      onProgress(done) {
        if (done % TOLD_EVERY === 0) given.note(`${done} pools checked`);
      },
    });
    // No source counts as searched: what the file leaves out is found by the service's own search.
    await keeper.keep({ block: imported.block, pools: imported.awake, sources: [], catalog: catalog.mark() });
    for (const [source, count] of imported.confirmed) given.print(`${source}: ${count} pools`);
    const { unsound, unconfirmed } = imported;
    given.print(
      `left out: ${unconfirmed} pools that the chain does not confirm or that cannot be read, ${unsound} of an unknown venue`,
    );
    return EXIT.ok;
  } catch (error) {
    throw error instanceof BootstrapFileError ? new UsageError(error.message) : error;
  } finally {
    catalog.close();
    provider.close();
  }
}

function fileOf({ positionals }: Invocation): string {
  const [file] = positionals;
  if (file === undefined || positionals.length !== 1) throw new UsageError("name one file, such as bootstrap.gz");
  return file;
}
