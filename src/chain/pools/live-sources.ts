import type { BlockRef } from "../../domain/block.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { SourceId } from "../../domain/source.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Logger } from "../../ops/logger.ts";
import { sourcesWithCode } from "../node/node-check.ts";
import type { NodeReader } from "../rpc/reader.ts";

/** Sources whose contracts exist on the chain. Missing ones are looked for again with every block. */
export interface LiveSources {
  /** The sources that are usable at a block, which is read from the beginning. @throws what the node failed with */
  begin(at: BlockRef): Promise<readonly LiquiditySource[]>;
  /** Whether a source is left out, since a contract of it is missing. */
  isOff(id: SourceId): boolean;
  /** Looks again at a block that is the newest. */
  look(at: BlockRef): void;
  stop(): Promise<void>;
}

export function createLiveSources(options: {
  readonly sources: readonly LiquiditySource[];
  /** It remembers where contracts stand. */
  readonly reader: Pick<NodeReader, "hasCode" | "codeFault">;
  /** Other sources stand than those that are followed. `why` is a sentence for those who ask meanwhile. */
  readonly changed: (why: string) => void;
  readonly logger: Logger;
}): LiveSources {
  const { sources, reader, logger } = options;
  let off: ReadonlySet<SourceId> = new Set();
  let looking: Promise<void> | undefined;
  let stopped = false;

  async function lookAt(at: BlockRef): Promise<void> {
    try {
      const usable = await sourcesWithCode(reader, sources, at);
      const changed = sources.filter((source) => usable.includes(source) === off.has(source.id)).map(({ id }) => id);
      if (changed.length === 0 || stopped) return;
      logger.warn({ sources: changed, block: Number(at.number) }, "contracts of sources have come or gone");
      options.changed(`Contracts of ${changed.join(", ")} have come or gone: the sources are read anew.`);
    } catch (error) {
      logger.debug({ reason: messageOf(error) }, "could not look for the contracts of sources");
    }
  }

  return {
    async begin(at) {
      const usable = await sourcesWithCode(reader, sources, at, logger);
      off = new Set(sources.filter((source) => !usable.includes(source)).map(({ id }) => id));
      return usable;
    },
    isOff: (id) => off.has(id),
    look(at) {
      if (stopped) return;
      looking ??= lookAt(at).finally(() => {
        looking = undefined;
      });
    },
    async stop() {
      stopped = true;
      await looking;
    },
  };
}
