import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { startNode } from "../../../fixtures/settlement/node.ts";
import { buildWorld, type World, type WorldFacts, worldOf } from "../../../fixtures/settlement/venues.ts";
import { madeOnce } from "../process/once-per-run.ts";
import { keepState } from "./kept-state.ts";

/** Starts a world of the settlement's tests (`fixtures/settlement/venues.ts`) from the one that this run of vitest keeps. */
export async function startWorld(): Promise<World> {
  const folder = await madeOnce("venues", async (path) => {
    const node = await startNode();
    try {
      const facts = await buildWorld(node);
      mkdirSync(path);
      writeFileSync(join(path, "facts"), serialize(facts));
      await keepState(node.rpcUrl, join(path, "state.json"));
    } finally {
      await node.stop();
    }
  });
  const node = await startNode(join(folder, "state.json"));
  return worldOf(node, deserialize(readFileSync(join(folder, "facts"))) as WorldFacts);
}
