import { Agent } from "node:http";
import { quantile } from "../quantile.ts";
import { cpuSeconds } from "./cpu.ts";
import { fresh, type Target } from "./load.ts";
import { pricePathOf, send } from "./timed-call.ts";

const AMOUNTS = 16;
const ROUNDS = 30;
/** Rounds before any is measured: the compiler is busy with what is new. */
const WARM = 10;

/** Prints the service's CPU time for an entry of a ladder as a ratio to that for a single price, in turns, of amounts that are all new. */
export async function showLadderCost(target: Target, pid: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const next = fresh(target.request);
  const amounts = () => Array.from({ length: AMOUNTS }, () => next().sellAmount);
  const spent = async (paths: readonly string[]): Promise<number> => {
    const before = cpuSeconds(pid);
    for (const path of paths) {
      const { status } = await send(agent, target, path);
      if (status !== 200) throw new Error(`${path}: HTTP ${status}`);
    }
    return cpuSeconds(pid) - before;
  };
  const { sellToken = "", buyToken = "" } = target.request;
  const ratios: number[] = [];
  for (let round = 0; round < WARM + ROUNDS; round++) {
    const singles = await spent(Array.from({ length: AMOUNTS }, () => pricePathOf(next())));
    const query = new URLSearchParams({ sellToken, buyToken, sellAmounts: amounts().join() });
    const ladder = await spent([`/swap/v1/ladder?${query}`]);
    if (round >= WARM) ratios.push(ladder / singles);
  }
  agent.destroy();
  const [low, mid, high] = [0.1, 0.5, 0.9].map((part) => quantile(ratios, part).toFixed(2));
  console.log(
    `\na ladder of ${AMOUNTS} amounts: ${mid} of the CPU time of single prices (p10 ${low}, p90 ${high}; goal 0.33)`,
  );
}
