import { afterAll, beforeAll } from "vitest";
import { GENESIS_TIMESTAMP } from "../../../src/devnet/devnet.ts";
import { type Anvil, type AnvilOptions, startAnvil } from "../../../src/devnet/node/anvil.ts";
import { createJsonRpc, type JsonRpc } from "../../../src/devnet/node/json-rpc.ts";

/**
 * An empty anvil on a free port for the tests of one file (or `describe`): started before them, ended after them.
 * It mines by hand (`evm_mine`); every block is two seconds later than the one before unless told otherwise.
 * Call it at the top of the file and use what it answers inside tests and hooks only.
 */
export function useAnvil(
  args: readonly string[] = [],
  settings: Pick<AnvilOptions, "hardfork"> = {},
): { anvil(): Anvil; rpc(): JsonRpc } {
  let anvil: Anvil | undefined;
  let rpc: JsonRpc | undefined;
  beforeAll(async () => {
    anvil = await startAnvil({ ...settings, port: 0, args: ["--timestamp", String(GENESIS_TIMESTAMP), ...args] });
    rpc = createJsonRpc(anvil.rpcUrl);
    await rpc.call("anvil_setBlockTimestampInterval", [2]);
  });
  afterAll(async () => {
    await anvil?.stop();
  });
  return { anvil: () => started(anvil), rpc: () => started(rpc) };
}

function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error("anvil is there in tests and hooks only, not while the file is read");
  return part;
}
