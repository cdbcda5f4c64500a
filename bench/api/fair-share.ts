import { Agent } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { openKeys } from "../../src/stores/open-stores.ts";
import { quantile } from "../quantile.ts";
import { fresh, type Target } from "./load.ts";
import { type Answered, pricePathOf, send } from "./timed-call.ts";

/** Connections on which one key asks for what has no route, each again as soon as it is answered. */
const FLOOD = 32;
/** The devnet's pools do not hold this much of any token; each request asks for another amount, so that no answer serves two. */
const TOO_MUCH = "1000000000000000000000000000";
const RUN_MS = 20_000;
/** The well-behaved key asks for five prices a second. */
const PACE_MS = 200;

/** Asks for prices at a steady pace, whether or not the last one has been answered. */
async function behave(target: Target): Promise<readonly Answered[]> {
  const agent = new Agent({ keepAlive: true });
  const next = fresh(target.request);
  const answers: Promise<Answered>[] = [];
  for (const until = Date.now() + RUN_MS; Date.now() < until; await wait(PACE_MS)) {
    answers.push(send(agent, target, pricePathOf(next())));
  }
  const all = await Promise.all(answers);
  agent.destroy();
  return all;
}

async function flood(target: Target, until: () => boolean): Promise<readonly Answered[]> {
  const agent = new Agent({ keepAlive: true });
  let more = BigInt(TOO_MUCH);
  const { sellAmount: _, ...pair } = target.request;
  const next = () => ({ ...pair, buyAmount: String(more++) });
  const answers: Answered[] = [];
  const connection = async () => {
    while (!until()) answers.push(await send(agent, target, pricePathOf(next())));
  };
  await Promise.all(Array.from({ length: FLOOD }, connection));
  agent.destroy();
  return answers;
}

function show(title: string, answers: readonly Answered[]): void {
  const times = answers.map(({ ms }) => ms);
  const statuses = Map.groupBy(answers, ({ status }) => status);
  const counts = [...statuses].map(([status, { length }]) => `${length} × ${status}`).join(", ");
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(1));
  console.log(`${title.padEnd(42)} p50 ${p50} ms, p99 ${p99} ms, most ${most} ms (${counts})`);
}

/** Prints how long a well-behaved key waits, alone and while another key asks for what has no route. */
export async function showFairShare(target: Target, dataDir: string): Promise<void> {
  const { database } = openKeys({ dataDir, pepper: undefined });
  const { key } = await database.create({
    ...{
      account: "well-behaved",
      label: "",
      expiresAt: null,
      methods: null,
      origins: null,
      integrator: null,
      surplus: null,
      limit: null,
    },
  });
  database.close();
  // The service notices new keys within seconds.
  await wait(5_000);
  const good = { ...target, key };
  console.log(`\nFair share: five prices a second, ${FLOOD} connections of another key without a route`);
  await behave(good);
  show("alone", await behave(good));
  let over = false;
  const flooding = flood(target, () => over);
  await wait(1_000);
  show("beside the flood", await behave(good));
  over = true;
  show("the flood", await flooding);
}
