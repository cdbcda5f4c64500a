import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { encodeFunctionData, parseAbi } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeChainFile } from "../../../fixtures/chain/chain-file.ts";
import { createRandom } from "../../../fixtures/random.ts";
import { parseKeyText } from "../../../src/api/keys/key-text.ts";
import type { Address, Hex } from "../../../src/domain/address.ts";
import { openUsage } from "../../../src/stores/open-stores.ts";
import { cli } from "../../cli/cli.ts";
import { freePort, type Program, startProgram } from "../../support/process/program.ts";
import { useDevnet } from "../../support/worlds/devnet.ts";

const KILLS = process.env.TRIBUTARY_LONG === "1" ? 100 : 2;
const LONGEST_LIFE_MS = 4_000;
/** After so many one ends well: a state that more than 2,000 blocks have passed since would not be brought forward. */
const LIVES_PER_STATE = 10;
/** A start takes seconds, and minutes beside work that has precedence: this ends one that hangs. */
const PATIENCE_MS = 600_000;
const SOLD = 1_000_000_007n;
const router = parseAbi(["function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[])"]);

const devnet = useDevnet();
let folder: string;
let environment: Record<string, string>;
let origin: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "kill-service-"));
  const record = join(folder, "chain.json");
  // Mined by hand, the devnet's clock stands still: a block time of none says that it may. What is kept is the state at a
  // settled block, which a young chain has if its blocks settle soon.
  writeChainFile(record, { ...devnet().chain, blockTimeMs: 0, finalityDepth: 4 });
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  environment = {
    ...{ RPC_URL: devnet().rpcUrl, CHAIN_FILE: record, DATA_DIR: join(folder, "data") },
    ...{ PORT: String(port), MAX_HOPS: "1", TRIBUTARY_API_KEY: "the-key-of-nobody" },
  };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function newKey(): Promise<string> {
  const { code, stdout } = await cli(["keys", "create", "--label", "caller"], { DATA_DIR: join(folder, "data") });
  expect(code).toBe(0);
  return /^key +(\S+)$/m.exec(stdout)![1]!;
}

async function start(): Promise<Program> {
  const program = startProgram(environment);
  const ready = async () => (await fetch(`${origin}/readyz`).catch(() => undefined))?.status === 200;
  for (const giveUpAt = Date.now() + PATIENCE_MS; !(await ready()); await pause(50)) {
    if (Date.now() > giveUpAt || program.process.exitCode !== null) throw new Error(program.stderr());
  }
  return program;
}

/** Asks until the program is gone; how often it answered, and whether each twentieth answer is what the pair's router says. */
async function callUntilGone(
  key: string,
  path: readonly [Address, Address],
  onAnswer: () => void,
): Promise<{ answered: number; wrong: string[] }> {
  const [sellToken, buyToken] = path;
  const wrong: string[] = [];
  for (let answered = 0; ; answered++) {
    const amount = SOLD + BigInt(answered);
    const query = new URLSearchParams({
      sellToken,
      buyToken,
      sellAmount: String(amount),
      includedSources: "Uniswap_V2",
    });
    const answer = await fetch(`${origin}/swap/v1/price?${query}`, { headers: { "api-key": key } })
      .then(async (response) => ({ status: response.status, body: (await response.json()) as Record<string, string> }))
      .catch(() => undefined);
    if (answer === undefined) return { answered, wrong };
    onAnswer();
    if (answer.status !== 200) wrong.push(`HTTP ${answer.status}: ${JSON.stringify(answer.body)}`);
    else if (answered % 20 === 0) {
      const data = encodeFunctionData({ abi: router, functionName: "getAmountsOut", args: [amount, [...path]] });
      const call = { to: devnet().contracts.uniswapV2Router, data };
      const told = await devnet().rpc<Hex>("eth_call", [call, { blockHash: answer.body.blockHash }]);
      if (BigInt(`0x${told.slice(-64)}`) !== BigInt(answer.body.buyAmount!)) wrong.push(JSON.stringify(answer.body));
    }
  }
}

/** Moves the pair's price, block after block, until it is told that this is enough. */
async function trade(pair: Address, token: Address, enough: () => boolean): Promise<void> {
  while (!enough()) {
    await devnet().fund(token, pair, 12_345n);
    await devnet().sendTransaction(devnet().whale, { to: pair, data: "0xfff6cae9" });
    await pause(100);
  }
}

it("what a service of a named chain prints holds no key that its operator has set", async () => {
  const program = await start();
  const [line] = await program.prints(/^curl .*$/m);
  expect(line).toContain('-H "api-key: $TRIBUTARY_API_KEY"');
  expect(await program.end("SIGTERM")).toBe(0);
  expect(program.stdout() + program.stderr()).not.toContain("the-key-of-nobody");
}, 60_000);

it("killed at any moment, the service comes back with the right state, all keys, and no call counted twice", async () => {
  const { unit } = createRandom(9);
  const [weth, usd] = ["WETH", "USDH"].map(
    (wanted) => devnet().tokens.find(({ symbol }) => symbol === wanted)!.address,
  );
  const factory = parseAbi(["function getPair(address, address) view returns (address)"]);
  const data = encodeFunctionData({ abi: factory, functionName: "getPair", args: [weth!, usd!] });
  const told = await devnet().rpc<Hex>("eth_call", [{ to: devnet().contracts.uniswapV2Factory, data }, "latest"]);
  const pair = `0x${told.slice(-40)}` as Address;
  const keys = [await newKey()];
  // A life that ends well leaves a state on the disk for the next ones.
  expect(await (await start()).end("SIGTERM")).toBe(0);
  expect(existsSync(join(folder, "data", `pools-${devnet().chain.chainId}.state`))).toBe(true);
  let answered = 0;
  let counted = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const program = await start();
    let gone = false;
    const trading = trade(pair, weth!, () => gone);
    const { promise: firstAnswer, resolve: onAnswer } = Promise.withResolvers<void>();
    const calling = callUntilGone(keys[kill % keys.length]!, [usd!, weth!], onAnswer);
    // Every other life is one in which somebody was answered, however busy the machine is.
    if (kill % 2 === 0) await Promise.race([firstAnswer, calling]);
    await pause(unit() * LONGEST_LIFE_MS);
    keys.push(await newKey());
    expect(await program.end("SIGKILL")).toBe("SIGKILL");
    gone = true;
    await trading;
    // It has begun with that state: what it knew was not searched for again.
    expect(program.stderr()).not.toContain("searching for pools");
    const { answered: now, wrong } = await calling;
    expect(wrong).toEqual([]);
    answered += now;

    const usage = openUsage(join(folder, "data"));
    const rows = await usage.read({ from: 0, until: Number.MAX_SAFE_INTEGER });
    usage.close();
    const sum = rows.reduce((requests, row) => requests + row.requests, 0);
    // Each kill may have cut one call off after it was counted and before it was answered.
    expect(sum).toBeLessThanOrEqual(answered + kill + 1);
    expect(sum).toBeGreaterThanOrEqual(counted);
    counted = sum;
    if ((kill + 1) % LIVES_PER_STATE === 0) expect(await (await start()).end("SIGTERM")).toBe(0);
    if ((kill + 1) % 10 === 0)
      process.stdout.write(`${kill + 1} kills, ${answered} calls answered, ${sum} on record\n`);
  }
  const { stdout } = await cli(["keys", "list", "--json"], { DATA_DIR: join(folder, "data") });
  const listed = new Set((JSON.parse(stdout) as readonly { id: string }[]).map(({ id }) => id));
  expect(keys.filter((key) => !listed.has(parseKeyText(key)!.id))).toEqual([]);
  expect(answered).toBeGreaterThanOrEqual(KILLS / 2);
  process.stdout.write(`${KILLS} kills, ${answered} calls answered, ${counted} on record\n`);
}, 3_600_000);
