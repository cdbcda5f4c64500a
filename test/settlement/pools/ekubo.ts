import { type Hex, numberToHex } from "viem";
import { type Artifact, compiled } from "../../../fixtures/settlement/node.ts";
import type { World } from "../../../fixtures/settlement/venues.ts";
import { headOf } from "../../../src/venues/ekubo/events.ts";
import { poolIdOf } from "../../../src/venues/ekubo/pool-key.ts";
import { mappingSlot } from "../../../src/venues/reading/words.ts";
import { configWithSpacing } from "../../pools/ekubo/arbitrary-ekubo.ts";
import { withSingleton } from "./singleton.ts";

const SPACING = 1_000;
/** An extension that is told of positions alone: all of a key is named in a fill. */
const EXTENSION = 0x18n << 152n;
export const CONFIG = (EXTENSION << 96n) | configWithSpacing(500n, SPACING);

/** The world with pools of Ekubo, in a Core of ours or its makers'. */
export async function withEkubo(world: World, artifact: Artifact = compiled("DevnetEkuboCore")) {
  const { node, owner } = world;
  const core = await node.deploy(artifact);
  await node.rpc("anvil_setStorageAt", core, mappingSlot(EXTENSION, 0), numberToHex(1, { size: 32 }));
  return withSingleton(world, {
    ...{ manager: core, desk: compiled("DevnetEkuboDesk"), spacing: SPACING },
    keyOf: ([token0, token1]) => ({ token0, token1, config: numberToHex(CONFIG, { size: 32 }) }),
    idOf: (tokens) => poolIdOf({ tokens, config: CONFIG }),
    create: (key) => node.write(owner, core, artifact.abi, "initializePool", key, 0),
    async stateOf(id, ticks) {
      const word = await node.rpc<Hex>("eth_getStorageAt", core, id, "latest");
      return { curve: "ekubo", state: { ...headOf(BigInt(word)), config: CONFIG, ticks } };
    },
    action: { action: "ekubo-pool", core, config: CONFIG },
  });
}
