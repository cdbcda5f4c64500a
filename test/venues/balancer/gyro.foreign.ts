import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Address } from "../../../src/domain/address.ts";
import type { GyroState } from "../../../src/pools/gyro/state.ts";
import { provenGyroPools, readGyroTerms } from "../../../src/venues/balancer-v2/gyro-terms.ts";
import { rootOfPrice } from "../../pools/gyro/arbitrary-gyro.ts";
import { type Anvil, startAnvil } from "../worlds/anvil.ts";
import { type BalancerWorld, deployBalancer, fill } from "../worlds/balancer.ts";
import { makersOfGyro, type UnlinkedContract } from "../worlds/gyro.ts";
import { mintedToken } from "../worlds/traffic/minted-tokens.ts";

/** Reads of Gyroscope's own bytecode by the source; see test/pools/gyro/exactness.foreign.ts. */
const folder = join(process.env.FOREIGN_DATA ?? "", "contracts/gyroscope");
const contract = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as UnlinkedContract;

const ONE = 10n ** 18n;
const ROOTS = [rootOfPrice((9n * ONE) / 10n), rootOfPrice((11n * ONE) / 10n)];

describe.skipIf(!existsSync(folder))("with the contracts of its makers", () => {
  let anvil: Anvil;
  let world: BalancerWorld;
  let library: Address;
  let tokens: readonly Address[];
  beforeAll(async () => {
    anvil = await startAnvil();
    world = await deployBalancer(anvil);
    const { abi, bytecode } = contract("QueryProcessor-42-0D4FBbd3");
    library = await anvil.deploy(abi, bytecode as Hex);
    tokens = [await mintedToken(anvil, 18), await mintedToken(anvil, 18)].sort();
  });
  afterAll(() => anvil?.stop());

  test.each([
    ["of 2023, with rate providers", "Gyro2CLPPool-1-c6853F05", true],
    ["of October 2022, without", "Gyro2CLPPool-137-5d8545a7", true],
    ["of August 2022, which takes no more than a part of a balance at once", "Gyro2CLPPool-137-EA68E7C8", false],
  ])("a 2-CLP %s is proven or left out", async (_, build, isProven) => {
    const make = await makersOfGyro(anvil, world, contract(build), { QueryProcessor: library });
    const terms = { kind: "2clp", tokens, parameters: ROOTS, rateProviders: [undefined, undefined] } as const;
    const { poolId: id } = await make({ ...terms, fee: 10n ** 15n });
    const balances = [10n ** 24n, 10n ** 24n];
    await fill(anvil, world, { address: id.slice(0, 42) as Address, poolId: id, tokens }, balances);
    const at = await anvil.mine();
    const [read] = await readGyroTerms(anvil.reader, [{ id, kind: "2clp", tokens }], at);
    expect(read?.parameters).toEqual(ROOTS);
    const state: GyroState = {
      ...{ kind: "2clp", balances, scales: [1n, 1n], rates: [ONE, ONE], rated: [false, false], paused: false },
      ...{ parameters: ROOTS, swapFee: 10n ** 15n },
    };
    const told: string[] = [];
    const reading = { chain: anvil.reader, at, reportUnserved: (_: string, reason: string) => told.push(reason) };
    const pool = { id, source: "Balancer_V2", tokens, curve: "gyro", state } as const;
    expect([...(await provenGyroPools(world.vault, [pool], reading))]).toEqual(isProven ? [id] : []);
    expect(told).toEqual(isProven ? [] : ["UNKNOWN_VERSION"]);
  });
});
