import { Agent } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { quantile } from "../quantile.ts";
import { cpuSeconds } from "./cpu.ts";
import { fresh, type Target } from "./load.ts";
import { pricePathOf, send } from "./timed-call.ts";

const AT_A_TIME = 16;
const ROUNDS = 20;
/** Rounds before any is measured: the compiler is busy with what is new. */
const WARM = 10;
/** Time over which the idle service's use is measured, to be subtracted. */
const IDLE_MS = 8_000;

/** Prints the service's CPU time for a quote as a ratio to that for a price of the same kind, in turns, of amounts that are all new. */
export async function showQuoteCost(target: Target, pid: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const next = fresh(target.request);
  const idleFrom = cpuSeconds(pid);
  await wait(IDLE_MS);
  const idlePerMs = (cpuSeconds(pid) - idleFrom) / IDLE_MS;
  const spent = async (pathOf: (query: string) => string): Promise<number> => {
    const [before, begun] = [cpuSeconds(pid), performance.now()];
    for (let call = 0; call < AT_A_TIME; call++) {
      const path = pathOf(pricePathOf(next()).split("?")[1]!);
      const { status } = await send(agent, target, path);
      if (status !== 200) throw new Error(`${path}: HTTP ${status}`);
    }
    return cpuSeconds(pid) - before - idlePerMs * (performance.now() - begun);
  };
  const taker = `takerAddress=${devnetAccounts().deployer.address}`;
  const kinds = { "without makers": "&excludedSources=Reference_Maker,Reference_RFQ", "with makers asked": "" };
  for (const [kind, filter] of Object.entries(kinds)) {
    const ratios: number[] = [];
    for (let round = 0; round < WARM + ROUNDS; round++) {
      const prices = await spent((query) => `/swap/v1/price?${query}${filter}`);
      const quotes = await spent((query) => `/swap/v1/quote?${query}&${taker}${filter}`);
      if (round >= WARM) ratios.push(quotes / prices);
    }
    const [low, mid, high] = [0.1, 0.5, 0.9].map((part) => quantile(ratios, part).toFixed(2));
    console.log(`a quote ${kind}: ${mid} times the CPU time of a price (p10 ${low}, p90 ${high}; goal 1.6)`);
  }
  agent.destroy();
}
