import { setTimeout as sleep } from "node:timers/promises";
import { SIMULATING } from "../../fixtures/fleet/counted-node.ts";
import { BLOCK_SECONDS, type Place } from "./place.ts";

/** Requests to the node per block of a fleet that nobody asks for anything. */
export async function measureNode(place: Place, count: number, blocks: number): Promise<void> {
  const { world, replicas } = await place.fleet(count);
  try {
    await sleep(5_000);
    place.node.take();
    const first = (await replicas[0]!.block())!.number;
    await sleep(blocks * BLOCK_SECONDS * 1_000);
    const taken = place.node.take();
    const passed = (await replicas[0]!.block())!.number - first;
    const of = (isCounted: (method: string) => boolean) =>
      [...taken].reduce((sum, [method, calls]) => sum + (isCounted(method) ? calls : 0), 0) / passed;
    const perBlock = of((method) => !SIMULATING.has(method)).toFixed(1);
    const simulations = of((method) => SIMULATING.has(method)).toFixed(1);
    console.log(`node: ${count} replicas: ${perBlock} requests per block, and ${simulations} that simulate`);
  } finally {
    await world.close();
  }
}
