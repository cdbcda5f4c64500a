import { writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { deploySettlementOn } from "../../../src/devnet/contracts/deploy-settlement.ts";
import { type Devnet, type DevnetOptions, startDevnet } from "../../../src/devnet/devnet.ts";
import { createJsonRpc } from "../../../src/devnet/node/json-rpc.ts";
import type { Hex } from "../../../src/domain/address.ts";
import { madeOnce } from "../process/once-per-run.ts";

/** A devnet that is kept: as it was seeded, or with the settlement contracts and Permit2 on it. */
export type KeptDevnet = "seeded" | "settled";

const BY_HAND = { port: 0, traffic: false, blockTimeSeconds: undefined } as const;

const STARTS: Readonly<Record<KeptDevnet, () => Promise<Devnet>>> = {
  seeded: () => startDevnet(BY_HAND),
  async settled() {
    const devnet = await startKeptDevnet("seeded");
    await deploySettlementOn(devnet);
    return devnet;
  },
};

/** Starts a devnet from the state that this run of vitest keeps of it, which takes a sixth of the time that seeding takes. */
export async function startKeptDevnet(
  kept: KeptDevnet,
  options: Omit<DevnetOptions, "state"> = BY_HAND,
): Promise<Devnet> {
  const state = await madeOnce(`${kept}.json`, async (path) => {
    const devnet = await STARTS[kept]();
    await keepState(devnet.rpcUrl, path).finally(devnet.stop);
  });
  return startDevnet({ ...options, state });
}

/** Writes the state of an anvil into a file, as it loads it, but for the traces of old transactions: most of it. */
export async function keepState(rpcUrl: string, path: string): Promise<void> {
  const dumped = await createJsonRpc(rpcUrl).call<Hex>("anvil_dumpState");
  const state = JSON.parse(gunzipSync(Buffer.from(dumped.slice(2), "hex")).toString()) as DumpedState;
  for (const { info } of state.transactions) info.traces = [];
  writeFileSync(path, JSON.stringify(state));
}

interface DumpedState {
  readonly transactions: readonly { readonly info: { traces: readonly unknown[] } }[];
}
