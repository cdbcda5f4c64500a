import { Agent } from "node:http";
import { quantile } from "../quantile.ts";
import { cpuSeconds } from "./cpu.ts";
import { fresh, type Target } from "./load.ts";
import { pricePathOf, send } from "./timed-call.ts";

const AMOUNTS = 16;
const ROUNDS = 30;
/** Rounds before any is measured: the compiler is busy with what is new. */
const WARM = 10;
/** Amounts are told in millionths of the smallest. */
const WHOLE = 1e6;

/** Factors between the smallest amount and the largest. */
const FACTORS = [1, 10];

/**
 * Prints the service's CPU time for an entry of a ladder as a ratio to that for a single price of the same amounts, in turns, all of
 * them new: of amounts that are nearly one, and of some that are spread.
 */
export async function showLadderCost(target: Target, pid: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const next = fresh(target.request);
  const amountsOver = (factor: number) =>
    Array.from({ length: AMOUNTS }, (_, at) => {
      const part = BigInt(Math.round(WHOLE * factor ** (at / (AMOUNTS - 1))));
      return String((BigInt(next().sellAmount ?? 0) * part) / BigInt(WHOLE));
    });
  const spent = async (paths: readonly string[]): Promise<number> => {
    const before = cpuSeconds(pid);
    for (const path of paths) {
      const { status } = await send(agent, target, path);
      if (status !== 200) throw new Error(`${path}: HTTP ${status}`);
    }
    return cpuSeconds(pid) - before;
  };
  const { sellToken = "", buyToken = "" } = target.request;
  console.log("");
  for (const factor of FACTORS) {
    const ratios: number[] = [];
    for (let round = 0; round < WARM + ROUNDS; round++) {
      const paths = amountsOver(factor).map((sellAmount) => pricePathOf({ sellToken, buyToken, sellAmount }));
      const singles = await spent(paths);
      const query = new URLSearchParams({ sellToken, buyToken, sellAmounts: amountsOver(factor).join() });
      const ladder = await spent([`/swap/v1/ladder?${query}`]);
      if (round >= WARM) ratios.push(ladder / singles);
    }
    const [low, mid, high] = [0.1, 0.5, 0.9].map((part) => quantile(ratios, part).toFixed(2));
    const what = `a ladder of ${AMOUNTS} amounts over a factor of ${factor}`;
    console.log(`${what}: ${mid} of the CPU time of single prices (p10 ${low}, p90 ${high}; goal 0.33)`);
  }
  agent.destroy();
}
