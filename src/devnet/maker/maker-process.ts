import { messageOf } from "../../domain/message-of.ts";
import { createLogger } from "../../ops/logger.ts";
import type { FromMaker, ToMaker } from "./own-process.ts";
import { startReferenceMaker } from "./reference-maker.ts";

/** Entry point of the reference maker's process: it starts with the first message and ends with its parent. */
async function start({ level, ...options }: ToMaker): Promise<FromMaker> {
  try {
    const { stop: _, ...maker } = await startReferenceMaker({ ...options, port: 0, logger: createLogger(level) });
    return { kind: "open", maker };
  } catch (error) {
    return { kind: "failed", reason: messageOf(error) };
  }
}

process.once("disconnect", () => process.exit());
process.once("message", async (message: ToMaker) => process.send?.(await start(message)));
