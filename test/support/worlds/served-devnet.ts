import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeChainFile } from "../../../fixtures/chain/chain-file.ts";
import type { Devnet } from "../../../src/devnet/devnet.ts";
import { freePort, type Program, startProgram } from "../process/program.ts";
import { startKeptDevnet } from "./kept-state.ts";

/** The published service as its own process, over a devnet that goes by the clock. */
export interface ServedDevnet {
  readonly program: Program;
  readonly devnet: Devnet;
  /** Port of the API, on 127.0.0.1. */
  readonly port: number;
  /** Options that name the devnet's node and its record: for other programs over the same chain. */
  readonly place: { readonly RPC_URL: string; readonly CHAIN_FILE: string };
  stop(): Promise<void>;
}

/**
 * Starts the service for tests of what is around it, and waits until it answers. The devnet is one that is kept: seeding another
 * one costs as much as all that these tests do with it. There is no reference maker.
 */
export async function startServedDevnet(
  environment: Readonly<Record<string, string>>,
  { traffic = false }: { readonly traffic?: boolean } = {},
): Promise<ServedDevnet> {
  const devnet = await startKeptDevnet("settled", { port: 0, traffic, blockTimeSeconds: 2 });
  const folder = mkdtempSync(join(tmpdir(), "served-devnet-"));
  const place = { RPC_URL: devnet.rpcUrl, CHAIN_FILE: join(folder, "chain.json") };
  const tokens = join(folder, "tokens.json");
  writeChainFile(place.CHAIN_FILE, devnet.chain);
  writeFileSync(tokens, JSON.stringify(devnet.tokenList));
  const port = await freePort();
  // Nobody is to wait for searches beside requests.
  const own = { DEEP_SEARCHES: "0", ...place, WS_URL: devnet.wsUrl, TOKEN_LIST: tokens, PORT: String(port) };
  const program = startProgram({ ...own, ...environment });
  const stop = async () => {
    await program.end("SIGTERM");
    await devnet.stop();
    rmSync(folder, { recursive: true });
  };
  try {
    await program.prints(/^curl /m);
  } catch (error) {
    await stop();
    throw error;
  }
  return { program, devnet, port, place, stop };
}
