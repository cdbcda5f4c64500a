import { describe, expect, it } from "vitest";
import { toAddress } from "../../src/domain/address.ts";
import type { SimulationOutcome, Simulator } from "../../src/quoting/ports.ts";
import { routerSales, type SimulationRequest } from "../support/trades/router-sale.ts";
import type { TestDevnet } from "../support/worlds/devnet.ts";

const TAKER = toAddress(`0x${"7a".repeat(20)}`);
const RECIPIENT = toAddress(`0x${"5e".repeat(20)}`);
const SOLD = 1_000_000_000n;
/** Most gas of a transaction, too little for any. */
const HARDLY_ANY_GAS = 30_000n;

/** Requests that nobody can run, by what is wrong with them. */
const HOPELESS: Readonly<Record<string, (request: SimulationRequest) => SimulationRequest>> = {
  "a block that is not on the chain": (request) => ({
    ...request,
    at: { ...request.at, number: request.at.number + 1_000n, hash: `0x${"ee".repeat(32)}` },
  }),
  "a deadline that is over": (request) => ({ ...request, deadlineMs: Date.now() - 1 }),
  "a caller that has left": (request) => ({ ...request, signal: AbortSignal.abort() }),
  "less gas than it needs": (request) => ({ ...request, mostGas: HARDLY_ANY_GAS }),
};

/** Holds every implementation of Simulator to the same, over the sales of a devnet. `runs`: whether it can run any. */
export function describeSimulator(
  name: string,
  setting: {
    readonly devnet: () => TestDevnet;
    readonly create: (devnet: TestDevnet) => Simulator;
    readonly runs: boolean;
  },
): void {
  const { devnet, create, runs } = setting;
  const { amountOut, sale } = routerSales(devnet);
  const simulate = (request: SimulationRequest) => create(devnet()).simulate(request);

  describe(`a simulator ${name}`, () => {
    it.each(Object.entries(HOPELESS))("is incomplete, and rejects nothing, for %s", async (_, spoil) => {
      for (const taker of [undefined, TAKER]) {
        const request = await sale({ sell: "USDR", sellAmount: SOLD, ...(taker && { taker }) });
        const outcome = await simulate(spoil(request));
        expect(outcome).toMatchObject({ kind: "incomplete", reason: expect.stringMatching(/\w/) });
        expect(outcome).not.toHaveProperty("bought");
      }
    });

    it("gives the same outcome again, and changes nothing", async () => {
      const request = await sale({ sell: "USDR", sellAmount: SOLD, taker: TAKER });
      const held = () =>
        Promise.all([devnet().balanceOf(request.terms.buyToken, TAKER), devnet().rpc("eth_blockNumber")]);
      const [before, simulator] = [await held(), create(devnet())];
      const first = await simulator.simulate(request);
      expect(await simulator.simulate(request)).toEqual(first);
      expect(await held()).toEqual(before);
    });

    it("keeps simulations at the same time apart", async () => {
      const simulator = create(devnet());
      const requests = await Promise.all(
        [1n, 2n, 3n, 4n].map((times) => sale({ sell: "USDR", sellAmount: times * SOLD })),
      );
      const together = await Promise.all(requests.map((request) => simulator.simulate(request)));
      for (const [i, outcome] of together.entries()) expect(outcome).toEqual(await simulate(requests[i]!));
    });

    it.runIf(!runs)("is incomplete for what others could run", async () => {
      for (const least of [0n, 10n ** 30n])
        expect(await simulate(await sale({ sell: "USDR", sellAmount: SOLD, least }))).toMatchObject({
          kind: "incomplete",
          reason: expect.stringMatching(/\w/),
        });
    });
  });

  describe.runIf(runs)(`a simulator ${name}, of what it can run`, () => {
    it("tells to the wei what moves, whoever sends it and whoever is paid", async () => {
      for (const parties of [{}, { taker: TAKER }, { recipient: RECIPIENT }, { taker: TAKER, recipient: RECIPIENT }]) {
        const request = await sale({ sell: "USDR", sellAmount: SOLD, ...parties });
        const outcome = done(await simulate(request));
        const { sellToken, buyToken } = request.terms;
        expect([outcome.sold, outcome.bought]).toEqual([SOLD, await amountOut(SOLD, [sellToken, buyToken])]);
        expect(outcome.gasLimit).toBeGreaterThan(outcome.gasUsed);
        expect(outcome.secondsLater).toBeGreaterThanOrEqual(0n);
      }
    });

    it("proves a limit of gas that is no higher than it may be", async () => {
      const request = await sale({ sell: "USDR", sellAmount: SOLD, taker: TAKER });
      const { gasUsed, gasLimit } = done(await simulate(request));
      const mostGas = (gasUsed + gasLimit) / 2n;
      expect(done(await simulate({ ...request, mostGas })).gasLimit).toBe(mostGas);
      expect(await simulate({ ...request, mostGas: gasUsed / 2n })).toMatchObject({ kind: "incomplete" });
    });

    it("tells why a transaction reverts, in words and in its own bytes", async () => {
      const outcome = await simulate(await sale({ sell: "USDR", sellAmount: SOLD, least: 10n ** 30n }));
      expect(outcome).toMatchObject({ kind: "reverted", reason: "UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT" });
      const words = Buffer.from("UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT").toString("hex");
      expect(outcome).toHaveProperty("data", expect.stringContaining(words));
    });

    it("runs at the block that is named, whatever came after it", async () => {
      await devnet().rolledBack(async () => {
        const request = await sale({ sell: "USDR", sellAmount: SOLD });
        const path = [request.terms.sellToken, request.terms.buyToken];
        const before = await amountOut(SOLD, path);
        const { whale, contracts } = devnet();
        await devnet().approve(request.terms.sellToken, whale, contracts.uniswapV2Router, 10n ** 30n);
        const { transaction } = await sale({ sell: "USDR", sellAmount: 100n * SOLD, taker: whale });
        expect((await devnet().sendTransaction(whale, transaction)).succeeded).toBe(true);
        const after = await amountOut(SOLD, path);
        expect(after).toBeLessThan(before);
        expect(done(await simulate(request)).bought).toBe(before);
        expect(done(await simulate(await sale({ sell: "USDR", sellAmount: SOLD }))).bought).toBe(after);
      });
    });
  });
}

function done(outcome: SimulationOutcome): Extract<SimulationOutcome, { kind: "done" }> {
  if (outcome.kind !== "done") throw new Error(`${outcome.kind}: ${outcome.reason}`);
  return outcome;
}
