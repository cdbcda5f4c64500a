import { Agent } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { quantile } from "../quantile.ts";
import { cpuSeconds } from "./cpu.ts";
import { fresh, type Target } from "./load.ts";
import { send } from "./timed-call.ts";

/** Many, so that a collection of garbage or a compilation is a small part of a round. */
const AT_A_TIME = 100;
const ROUNDS = 15;
/** Rounds before any is measured: the compiler is busy with what is new. */
const WARM = 10;
/** Time over which the idle service's use is measured, to be subtracted. */
const IDLE_MS = 8_000;

/** A kind of quotes, with what is added to the requests of prices and quotes. */
interface Kind {
  readonly name: string;
  readonly request: Readonly<Record<string, string>>;
  readonly taker: () => string;
}

/** Token of which the devnet's maker sells a little for less than the pools. */
const FROM_MAKER = "LOCK";
const WITHOUT_MAKERS = { excludedSources: "Reference_Maker,Reference_RFQ" };

/**
 * Prints the service's CPU time for a quote as a ratio to that for a price of the same kind, in turns, of amounts that are all
 * new: by one taker that has what it sells, by takers that are new each time and have nothing, and with a maker on the route.
 */
export async function showQuoteCost(target: Target, pid: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const next = fresh(target.request);
  const idleFrom = cpuSeconds(pid);
  await wait(IDLE_MS);
  const idlePerMs = (cpuSeconds(pid) - idleFrom) / IDLE_MS;
  const spent = async (path: "price" | "quote", { name, request, taker }: Kind): Promise<number> => {
    const [before, begun] = [cpuSeconds(pid), performance.now()];
    for (let call = 0; call < AT_A_TIME; call++) {
      const query = { ...next(), ...request, ...(path === "quote" && { takerAddress: taker() }) };
      const { status } = await send(agent, target, `/swap/v1/${path}?${new URLSearchParams(query)}`);
      if (status !== 200) throw new Error(`${path} ${name}: HTTP ${status}`);
    }
    return cpuSeconds(pid) - before - idlePerMs * (performance.now() - begun);
  };
  for (const kind of await kindsOf(target)) {
    const ratios: number[] = [];
    for (let round = 0; round < WARM + ROUNDS; round++) {
      const prices = await spent("price", kind);
      const quotes = await spent("quote", kind);
      if (round >= WARM) ratios.push(quotes / prices);
    }
    const [low, mid, high] = [0.1, 0.5, 0.9].map((part) => quantile(ratios, part).toFixed(2));
    console.log(`a quote ${kind.name}: ${mid} times the CPU time of a price (p10 ${low}, p90 ${high}; goal 1.6)`);
  }
  agent.destroy();
}

async function kindsOf(target: Target): Promise<readonly Kind[]> {
  const own = () => devnetAccounts().deployer.address;
  let takers = 0;
  const another = () => `0x7a${(++takers).toString(16).padStart(38, "0")}`;
  return [
    { name: "without makers", request: WITHOUT_MAKERS, taker: own },
    { name: "without makers, by a new taker", request: WITHOUT_MAKERS, taker: another },
    { name: "with makers asked", request: {}, taker: own },
    { name: "with a maker on its route", request: { buyToken: await addressOf(FROM_MAKER, target) }, taker: own },
  ];
}

async function addressOf(wanted: string, { port, key }: Target): Promise<string> {
  const url = `http://127.0.0.1:${port}/swap/v1/tokens?search=${wanted}`;
  const { tokens } = (await (await fetch(url, { headers: { "api-key": key } })).json()) as {
    readonly tokens: readonly { readonly symbol: string; readonly address: string }[];
  };
  const found = tokens.find(({ symbol }) => symbol === wanted);
  if (found === undefined) throw new Error(`the devnet has no ${wanted}`);
  return found.address;
}
