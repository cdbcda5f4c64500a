import { type Abi, encodeFunctionData, type Hex, toFunctionSelector } from "viem";
import { bundled } from "../../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress } from "../../../../src/domain/address.ts";
import { algebraV1 } from "../../../../src/venues/algebra-v1/source.ts";
import type { ConcentratedVenue } from "../../../support/suites/concentrated-exactness.ts";
import type { Anvil } from "../anvil.ts";
import { compiled } from "../compiled.ts";
import { deployDesk } from "../traffic/desk.ts";
import { createRandom } from "../traffic/random.ts";

/** Pools with a fee by past prices. */
export interface AdaptiveWorld extends ConcentratedVenue {
  burn(pool: Address, lower: number, upper: number, liquidity: bigint): Promise<Hex>;
  /** Lets so many seconds pass until the next block. */
  wait(seconds: number): Promise<unknown>;
  /** Sets what a pool's fee is worked out with. */
  configure(pool: Address, random: ReturnType<typeof createRandom>): Promise<void>;
}

export interface AlgebraV1World extends AdaptiveWorld {
  readonly factory: Address;
  readonly quoter: Address;
}

/** The contracts of one version, by their makers' names of them. */
export interface AlgebraContracts {
  readonly isDirectional: boolean;
  of(name: AlgebraContract): { readonly abi: Abi; readonly bytecode: Hex };
}

type AlgebraContract = "AlgebraFactory" | "AlgebraPool" | "AlgebraPoolDeployer" | "DataStorageOperator" | "Quoter";

const FIRST = {
  AlgebraFactory: "AlgebraV1Factory",
  AlgebraPool: "AlgebraV1Pool",
  AlgebraPoolDeployer: "AlgebraV1PoolDeployer",
  DataStorageOperator: "AlgebraV1DataStorageOperator",
} as const;

/** The first version as its makers published it, with a quoter of ours, since no package has theirs. */
const FIRST_VERSION: AlgebraContracts = {
  isDirectional: false,
  of: (name) => (name === "Quoter" ? compiled("AlgebraQuoter") : bundled(FIRST[name])),
};

/** Factory, deployer and pools as their makers have them, and a quoter; the sender is the owner. */
export async function deployAlgebraV1(anvil: Anvil, contracts = FIRST_VERSION): Promise<AlgebraV1World> {
  const { isDirectional, of: contract } = contracts;
  const deploy = (name: AlgebraContract, args: readonly unknown[]) => {
    const { abi, bytecode } = contract(name);
    return anvil.deploy(abi, bytecode, args);
  };
  const send = (to: Address, name: AlgebraContract, functionName: string, ...args: readonly unknown[]) =>
    anvil.send(to, encodeFunctionData({ abi: contract(name).abi, functionName, args }));
  const poolDeployer = await deploy("AlgebraPoolDeployer", []);
  const factory = await deploy("AlgebraFactory", [poolDeployer, anvil.account]);
  await send(poolDeployer, "AlgebraPoolDeployer", "setFactory", factory);
  await anvil.mine();
  const { abi: quoterAbi } = contract("Quoter");
  const quoterInputs = quoterAbi.flatMap((entry) => (entry.type === "constructor" ? entry.inputs : []));
  const quoter = await deploy("Quoter", [factory, anvil.account, poolDeployer].slice(0, quoterInputs.length));
  const desk = await deployDesk(anvil, toFunctionSelector("globalState()"));
  const deskAbi = compiled("DevnetDesk").abi;
  const random = createRandom(1_313);

  const configure: AlgebraV1World["configure"] = async (pool, drawn) => {
    const operator = toAddress(await anvil.read<string>(pool, contract("AlgebraPool").abi, "dataStorageOperator"));
    for (const way of isDirectional ? [[true], [false]] : [[]]) {
      const baseFee = drawn.int(1, 6_000);
      const terms = {
        ...{ alpha1: drawn.int(0, 20_000), alpha2: drawn.int(0, 20_000), baseFee },
        ...{ beta1: drawn.int(0, 3_000), beta2: drawn.int(0, 60_000) },
        ...{ gamma1: drawn.int(1, 3_000), gamma2: drawn.int(1, 9_000) },
        ...{ volumeBeta: drawn.pick([0, 0, 50]), volumeGamma: drawn.int(1, 200) },
      };
      await send(operator, "DataStorageOperator", "changeFeeConfiguration", ...way, terms);
    }
  };

  return {
    ...{ factory, quoter, configure },
    source: algebraV1({ protocol: "algebra-v1", source: "Algebra_V1", factory, quoter, fromBlock: 0n }),
    spenders: [desk.address],
    // Far trades over a table of all ticks read thousands of words each in the real contract: fewer of them.
    tiers: [isDirectional ? { fee: 0, spacing: 10, quotes: 15 } : { fee: 0, spacing: 60, quotes: 90 }],
    async create(tokens, _fee, price) {
      await send(factory, "AlgebraFactory", "createPool", ...tokens);
      await anvil.mine();
      const named = await anvil.read<string>(factory, contract("AlgebraFactory").abi, "poolByPair", tokens);
      const address = toAddress(named);
      if (price !== 0n) await send(address, "AlgebraPool", "initialize", price);
      await anvil.mine();
      await configure(address, random);
      if (isDirectional) await send(address, "AlgebraPool", "setTickSpacing", 10);
      return { id: address, address, tokens, terms: {} };
    },
    mint: ({ address }, lower, upper, size) =>
      anvil.send(
        desk.address,
        encodeFunctionData({ abi: deskAbi, functionName: "mintAlgebra", args: [address, lower, upper, size] }),
      ),
    burn: desk.burn,
    swapExactIn: ({ address }, zeroForOne, amount) => desk.swapExactIn(address, zeroForOne, amount),
    wait: (seconds) => anvil.rpc("evm_increaseTime", [seconds]),
    async disturb({ address }) {
      await configure(address, random);
      await anvil.mine();
      for (let block = random.int(1, 5); block > 0; block--) {
        await anvil.rpc("evm_increaseTime", [random.pick([3, 600, 20_000, 90_000])]);
        await desk.swapExactIn(address, random.chance(0.5), random.ofBits(74));
        await anvil.mine();
      }
      await send(address, "AlgebraPool", "setCommunityFee", 100, 250);
      await anvil.rpc("evm_increaseTime", [random.pick([1, 30, 4_000, 100_000])]);
    },
    quote: ({ address }, asked) => desk.quote(address, asked),
    decode: desk.decode,
  };
}
