import { setTimeout as sleep } from "node:timers/promises";
import { type CountedNode, openCountedNode } from "../../fixtures/fleet/counted-node.ts";
import { createFleetWorld, type FleetWorld, type Replica } from "../../fixtures/fleet/fleet.ts";
import { REDIS_URL } from "../../fixtures/fleet/redis.ts";
import { deploySettlementOn } from "../../src/devnet/contracts/deploy-settlement.ts";
import { type Devnet, startDevnet } from "../../src/devnet/devnet.ts";

export const BLOCK_SECONDS = 2;

/** A devnet with traffic whose node counts what it is asked. */
export interface Place {
  readonly devnet: Devnet;
  readonly node: CountedNode;
  /** A fleet of so many processes, each ready. */
  fleet(replicas: number, environment?: Readonly<Record<string, string>>): Promise<Fleet>;
  close(): Promise<void>;
}

export interface Fleet {
  readonly world: FleetWorld;
  readonly replicas: readonly Replica[];
}

export async function openPlace(): Promise<Place> {
  const devnet = await startDevnet({ port: 0, traffic: true, blockTimeSeconds: BLOCK_SECONDS });
  await deploySettlementOn(devnet);
  const node = await openCountedNode(devnet.rpcUrl);
  return {
    ...{ devnet, node },
    async fleet(count, environment = {}) {
      const world = createFleetWorld({ record: devnet.chain, rpcUrl: node.url, redisUrl: REDIS_URL });
      const replicas: Replica[] = [];
      for (let index = 0; index < count; index++) replicas.push(await world.start(environment));
      for (const replica of replicas) await ready(replica);
      return { world, replicas };
    },
    async close() {
      await node.close();
      await devnet.stop();
    },
  };
}

export async function ready(replica: Replica): Promise<void> {
  while ((await replica.ask("/readyz")).status !== 200) await sleep(200);
}

/** Paths of prices that differ from each other: none is answered from memory. */
export function pricePath(devnet: Devnet, number: number): string {
  const { tokens } = devnet;
  const sell = tokens[number % 5]!;
  const others = tokens.slice(0, 7).filter((token) => token !== sell);
  const buy = others[(number + (number % 3)) % others.length]!;
  const amount = 10n ** BigInt(sell.decimals - 2) * BigInt(1 + (number % 9973));
  return `/swap/v1/price?sellToken=${sell.address}&buyToken=${buy.address}&sellAmount=${amount}`;
}

/** User and system seconds of a process so far; none where the machine does not tell. */
export async function cpuSeconds(replica: Replica): Promise<number> {
  const metrics = await replica.metrics();
  return metrics.get("process_cpu_seconds_total") ?? Number.NaN;
}
