import { setTimeout as sleep } from "node:timers/promises";
import type { Replica } from "../../fixtures/fleet/fleet.ts";
import { quantile } from "../quantile.ts";
import { BLOCK_SECONDS, type Place, pricePath, ready } from "./place.ts";

/**
 * Kills the leader again and again while the others are asked for the same prices: how long until a block is answered that the
 * dead one did not tell, and whether any two answers at one block differ.
 */
export async function measureFailovers(place: Place, kills: number): Promise<void> {
  const { world, replicas } = await place.fleet(3, { SEARCH_THREADS: "1" });
  let alive = [...replicas];
  const seconds: number[] = [];
  const tally = { asked: 0, refused: 0, compared: 0, wrong: 0 };
  try {
    for (let kill = 0; kill < kills; kill++) {
      const leader = await leaderOf(alive);
      const others = alive.filter((replica) => replica !== leader);
      const killedAt = performance.now();
      await leader.end("SIGKILL");
      // The leader's last messages arrive within that time.
      await sleep(100);
      const last = Math.max(
        ...(await Promise.all(others.map((replica) => replica.block()))).map((block) => block!.number),
      );
      let isOver = false;
      const asking = compareAnswers(place, others, { isOver: () => isOver, tally });
      while (!(await Promise.all(others.map((replica) => isPast(replica, last)))).every(Boolean)) await sleep(50);
      seconds.push((performance.now() - killedAt) / 1_000);
      isOver = true;
      await asking;
      const fresh = await world.start();
      await ready(fresh);
      alive = [...others, fresh];
    }
  } finally {
    await world.close();
  }
  const sorted = seconds.toSorted((a, b) => a - b);
  const [median, worst] = [quantile(sorted, 0.5).toFixed(2), sorted.at(-1)!.toFixed(2)];
  console.log(
    `failover: ${kills} kills: median ${median} s, worst ${worst} s, with blocks of ${BLOCK_SECONDS} s; ${tally.asked} asked ` +
      `meanwhile, ${tally.refused} refused, ${tally.compared} pairs at one block compared, ${tally.wrong} wrong answers`,
  );
}

async function leaderOf(replicas: readonly Replica[]): Promise<Replica> {
  for (;;) {
    for (const replica of replicas) if (await replica.leads()) return replica;
    await sleep(100);
  }
}

async function isPast(replica: Replica, number: number): Promise<boolean> {
  return ((await replica.block())?.number ?? 0) > number;
}

async function compareAnswers(
  place: Place,
  replicas: readonly Replica[],
  {
    isOver,
    tally,
  }: {
    readonly isOver: () => boolean;
    readonly tally: { asked: number; refused: number; compared: number; wrong: number };
  },
): Promise<void> {
  for (let number = 0; !isOver(); number++) {
    const path = pricePath(place.devnet, number % 20);
    const answers = await Promise.all(replicas.map((replica) => replica.ask(path)));
    tally.asked += answers.length;
    tally.refused += answers.filter(({ status }) => status >= 500).length;
    const good = answers.filter(({ status }) => status === 200).map(({ text }) => JSON.parse(text));
    const [one, ...others] = good;
    for (const other of others) {
      if (other.blockNumber !== one.blockNumber) continue;
      tally.compared += 1;
      if (JSON.stringify({ ...other, requestId: "" }) !== JSON.stringify({ ...one, requestId: "" })) tally.wrong += 1;
    }
    await sleep(100);
  }
}
