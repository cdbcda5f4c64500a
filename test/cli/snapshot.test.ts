import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { create, toJson } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GetPriceResponseSchema } from "#gen/swap/v1/swap_pb.ts";
import { writeChainFile } from "../../fixtures/chain/chain-file.ts";
import { createRandom } from "../../fixtures/random.ts";
import { priceResponse } from "../../src/api/calls/price-messages.ts";
import { saveMarket, snapshotTokens } from "../../src/compose/snapshot-market.ts";
import { SwapError } from "../../src/domain/errors/swap-error.ts";
import type { SwapRequest } from "../../src/quoting/answer/types.ts";
import { readSnapshotFile, type SavedMarket, writeSnapshotFile } from "../../src/snapshot/file.ts";
import { DEVNET_TOKENS, randomRequest } from "../promise/random/random-request.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../support/worlds/swap-world.ts";
import { cli } from "./cli.ts";

const REQUESTS = 16;
const SEED = 20_261_121;
const cache = fileURLToPath(new URL("../../.cache", import.meta.url));
let folder: string;
let world: SwapWorld;
let saved: string;

beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "saved-"));
  world = await startSwapWorld();
  const { wrappedNative, referenceTokens } = world.devnet.chain;
  const snapshot = await world.follow();
  const tokens = await snapshotTokens(snapshot, world.chain.registry);
  saved = join(folder, "market.json");
  writeSnapshotFile(saved, saveMarket(snapshot, { wrappedNative, referenceTokens, sources: world.sources, tokens }));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world?.stop();
});

const OPTION_OF = { only: "--include", without: "--exclude" } as const;

/** Words of the command line for a request, to a file. */
function wordsOf({ sellToken, buyToken, amount, sources, fee }: SwapRequest, file: string): string[] {
  const swap =
    amount.kind === "exactIn"
      ? [String(amount.sellAmount), sellToken.address, buyToken.address]
      : [sellToken.address, String(amount.buyAmount), buyToken.address];
  const paid =
    fee === undefined ? [] : ["--fee", (Number(fee.ratePpm) / 1e6).toFixed(6), "--fee-recipient", fee.recipient];
  const chosen = sources.kind === "all" ? [] : [OPTION_OF[sources.kind], sources.ids.join()];
  return ["price", ...swap, ...paid, ...chosen, "--base-units", "--json", "--snapshot", file];
}

async function online(request: SwapRequest): Promise<{ answer: unknown } | { refused: string }> {
  try {
    const answer = create(GetPriceResponseSchema, priceResponse(await world.price(request)));
    return { answer: toJson(GetPriceResponseSchema, answer, { alwaysEmitImplicit: true }) };
  } catch (error) {
    if (!(error instanceof SwapError)) throw error;
    return { refused: error.reason };
  }
}

describe("a saved market", () => {
  it("answers without a node what the service answers at that block, to the last digit", async () => {
    const random = createRandom(SEED);
    const parties = { taker: testAccount(1), feeRecipient: testAccount(2) };
    const seen = { exactIn: 0, exactOut: 0, refused: 0, fee: 0, severalPools: 0 };
    for (let i = 0; i < REQUESTS; i += 1) {
      const { taker: _, ...request } = randomRequest(random, DEVNET_TOKENS, parties);
      const expected = await online({ ...request, skipValidation: true });
      const { code, stdout, stderr } = await cli(wordsOf(request, saved));
      if ("refused" in expected) {
        expect(code, stderr).toBe(3);
        expect(stderr).toContain(expected.refused);
        seen.refused += 1;
        continue;
      }
      expect(code, stderr).toBe(0);
      const answer = JSON.parse(stdout);
      expect(answer).toEqual(expected.answer);
      seen[request.amount.kind] += 1;
      if (request.fee !== undefined) seen.fee += 1;
      if (answer.orders.length > 1) seen.severalPools += 1;
    }
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0);
    expect(seen.exactIn + seen.exactOut).toBeGreaterThan(REQUESTS / 2);
  });

  it("is what tributary snapshot saves from a node", async () => {
    const chain = join(folder, "chain.json");
    writeChainFile(chain, { ...world.devnet.chain, blockTimeMs: 0 });
    const environment = { RPC_URL: world.devnet.rpcUrl, CHAIN_FILE: chain };
    for (const name of ["own.json", "own.pb"]) {
      const file = join(folder, name);
      const { code, stdout, stderr } = await cli(["snapshot", file], environment);
      expect(code, stderr).toBe(0);
      expect(stdout).toMatch(/^\d+ pools, \d+ tokens at block \d+ 0x[0-9a-f]{64} in /);
      expect(readSnapshotFile(file).pools).toEqual(readSnapshotFile(saved).pools);
      expect(readSnapshotFile(file).block).toEqual(readSnapshotFile(saved).block);
    }
  });

  it("has what a rollup asks for data, and how much gas a transaction may have", async () => {
    const plain = readSnapshotFile(saved);
    const priceIn = async (change: Partial<SavedMarket>) => {
      const file = join(folder, "changed.json");
      writeSnapshotFile(file, { ...plain, ...change });
      const words = ["price", "USDH", "1000", "WETH", "--gas-price", "0", "--json", "--snapshot", file];
      return JSON.parse((await cli(words)).stdout) as { gas: string; totalNetworkFee: string; orders: unknown[] };
    };
    const free = await priceIn({});
    expect(free.totalNetworkFee).toBe("0");
    expect(BigInt((await priceIn({ dataFee: { fixed: 5n, perByte: 0n } })).totalNetworkFee)).toBe(5n);
    const mostGas = BigInt(free.gas) / 2n;
    const less = await priceIn({ mostGas });
    expect(less.orders.length).toBeLessThan(free.orders.length);
    expect(BigInt(less.gas)).toBeLessThanOrEqual(mostGas);
  });

  it("is read by people too, and tokens have their symbols", async () => {
    const { code, stdout } = await cli(["price", "1.5", "ETH", "usdh", "--snapshot", saved]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^sell +1\.5 ETH$/m);
    expect(await cli(["price", "1", "NOPE", "USDH", "--snapshot", saved])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`no token on ${saved} is called NOPE`),
    });
    expect(await cli(["price", "1", "ETH", "USDH", "--snapshot", "nowhere.json"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--snapshot: nowhere.json"),
    });
    expect(await cli(["snapshot"])).toMatchObject({ code: 2, stderr: expect.stringContaining("name the file") });
  });
});
