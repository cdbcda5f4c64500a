import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { inject } from "vitest";
import { createJsonRpc } from "../../../src/devnet/node/json-rpc.ts";
import type { Hex } from "../../../src/domain/address.ts";

/**
 * Starts a chain from the state that an earlier start of this run of vitest has left under this name, in a sixth of the
 * time; or makes the chain, which is left for all later ones. `start` gets the file to load, or undefined to make it.
 */
export async function startFromKept<Started extends { readonly rpcUrl: string; stop(): Promise<void> }>(
  name: string,
  start: (file: string | undefined) => Promise<Started>,
): Promise<Started> {
  const file = join(inject("runFolder"), `${name}.json`);
  if (existsSync(file)) return start(file);
  const made = await start(undefined);
  try {
    const state = await createJsonRpc(made.rpcUrl).call<Hex>("anvil_dumpState");
    const mine = `${file}.${process.pid}`;
    writeFileSync(mine, gunzipSync(Buffer.from(state.slice(2), "hex")));
    // Nobody loads half a file, and files of several workers are the same.
    renameSync(mine, file);
    return made;
  } catch (error) {
    await made.stop();
    throw error;
  }
}
