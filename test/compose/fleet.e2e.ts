import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createFleetWorld, type FleetWorld, type Replica } from "../../fixtures/fleet/fleet.ts";
import { hasRedis, REDIS_URL } from "../../fixtures/fleet/redis.ts";
import { builtService } from "../support/process/built-service.ts";
import { startTestDevnet, type TestDevnet } from "../support/worlds/devnet.ts";

const isThere = await hasRedis();
const name = "a fleet of processes";

describe.skipIf(!isThere)(isThere ? name : `${name}: skipped, no Redis at ${REDIS_URL}`, () => {
  let devnet: TestDevnet;
  let world: FleetWorld;
  let replicas: readonly Replica[];

  beforeAll(async () => {
    devnet = await startTestDevnet("settled");
    const record = { ...devnet.chain, blockTimeMs: 2_000 };
    world = createFleetWorld({ record, rpcUrl: devnet.rpcUrl, redisUrl: REDIS_URL, program: builtService() });
    replicas = await Promise.all([world.start(), world.start({ SEARCH_THREADS: "1" })]);
    await atHead(replicas);
  });
  afterAll(async () => {
    await world?.close();
    await devnet?.stop();
  });

  async function atHead(some: readonly Replica[]): Promise<void> {
    await devnet.mine(Math.floor(Date.now() / 1_000));
    const { number } = await devnet.rpc<{ number: string }>("eth_getBlockByNumber", ["latest", false]);
    const isThere = async (replica: Replica) =>
      (await replica.block())?.number === Number(number) && (await replica.ask("/readyz")).status === 200;
    for (const replica of some) await vi.waitUntil(() => isThere(replica), { timeout: 60_000, interval: 200 });
  }

  /** Answer of each replica to each question, without the request's own id. */
  async function answers(some: readonly Replica[]): Promise<readonly (readonly string[])[]> {
    const [first, second, third] = devnet.tokens.map(({ address }) => address);
    const swap = `sellToken=${first}&buyToken=${second}&sellAmount=1000000000000000000`;
    const paths = [
      `/swap/v1/price?${swap}`,
      `/swap/v1/quote?${swap}`,
      `/swap/v1/price?sellToken=${second}&buyToken=${third}&buyAmount=1000000`,
      `/swap/v1/price?sellToken=${first}&buyToken=${third}&sellAmount=0`,
      "/swap/v1/sources",
      `/swap/v1/tokens?addresses=${first},${third}`,
    ];
    // Tokens are counted once a second at most: their list may be of the block before.
    const tokens = paths.at(-1) as string;
    const blocks = async () =>
      new Set(await Promise.all(some.map(async (replica) => JSON.parse((await replica.ask(tokens)).text).blockNumber)));
    await expect.poll(async () => (await blocks()).size).toBe(1);
    return Promise.all(
      some.map(async (replica) => {
        const all: string[] = [];
        for (const path of paths) {
          const { status, text } = await replica.ask(path);
          all.push(`${status} ${text.replace(/"requestId":"[^"]*"/, "")}`);
        }
        return all;
      }),
    );
  }

  test("answers the same request at the same block byte for byte, whichever of them is asked", async () => {
    for (let block = 0; block < 2; block++) {
      const [one, other] = await answers(replicas);
      expect(one![0]).toMatch(/^200 /);
      expect(one![1]).toMatch(/^200 /);
      expect(other).toEqual(one);
      await atHead(replicas);
    }
  });

  // Half a minute of waiting.
  test.runIf(process.env.TRIBUTARY_LONG)(
    "goes on while its leader is paused for 30 s, which follows afterwards",
    async () => {
      const leads = await Promise.all(replicas.map((replica) => replica.leads()));
      const [leader, other] = [replicas[leads.indexOf(true)]!, replicas[leads.indexOf(false)]!];
      leader.process.kill("SIGSTOP");
      await vi.waitUntil(() => other.leads(), { timeout: 60_000, interval: 200 });
      await atHead([other]);
      await new Promise((resolve) => setTimeout(resolve, 30_000));
      leader.process.kill("SIGCONT");
      await vi.waitUntil(async () => !(await leader.leads()), { timeout: 60_000, interval: 200 });
      expect(await other.leads()).toBe(true);
      await atHead(replicas);
      const [one, two] = await answers(replicas);
      expect(one![1]).toMatch(/^200 /);
      expect(two).toEqual(one);
    },
  );

  test("goes on when its leader is killed, and takes a process in that starts later", async () => {
    const leads = await Promise.all(replicas.map((replica) => replica.leads()));
    expect(leads.filter(Boolean)).toHaveLength(1);
    const left = replicas[leads.indexOf(false)]!;
    await replicas[leads.indexOf(true)]!.end("SIGKILL");
    expect((await left.ask("/readyz")).status).toBe(200);
    await expect.poll(() => left.leads(), { timeout: 30_000 }).toBe(true);
    await atHead([left]);
    expect(left.log()).toContain("going on from the kept state");
    const late = await world.start({ ROLE: "answer" });
    await atHead([left, late]);
    const [one, other] = await answers([left, late]);
    expect(one![1]).toMatch(/^200 /);
    expect(other).toEqual(one);
    expect(await late.leads()).toBe(false);
  });
});
