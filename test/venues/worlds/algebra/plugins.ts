import { encodeFunctionData } from "viem";
import { bundled } from "../../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress } from "../../../../src/domain/address.ts";
import type { LiquiditySource } from "../../../../src/market/liquidity-source.ts";
import { algebra } from "../../../../src/venues/algebra/source.ts";
import type { Anvil } from "../anvil.ts";
import { compiled } from "../compiled.ts";
import { createRandom } from "../traffic/random.ts";
import { deployAlgebra } from "./integral.ts";
import type { AdaptiveWorld } from "./v1.ts";

const factoryAbi = bundled("AlgebraFactory").abi;
const poolAbi = bundled("AlgebraPool").abi;
const deployerArtifact = compiled("AlgebraDeployer");

export interface PluginWorld extends AdaptiveWorld {
  readonly factory: Address;
  readonly deployer: Address;
  readonly quoter: Address;
  /** A source that knows another deployer of custom pools, or none. */
  sourceOf(deployers: readonly Address[]): LiquiditySource;
  pluginOf(pool: Address): Promise<Address>;
  /** Sends a transaction to a pool. */
  ofPool(pool: Address, functionName: string, ...args: readonly unknown[]): Promise<unknown>;
  /** Names another factory of plugins at the deployer. */
  setPluginFactory(factory: Address): Promise<unknown>;
}

/** Algebra Integral's contracts with its plugins, and a deployer of custom pools of ours; the sender is the owner. */
export async function deployPlugged(anvil: Anvil): Promise<PluginWorld> {
  const { factory, ...plain } = await deployAlgebra(anvil);
  const deployer = await anvil.deploy(deployerArtifact.abi, deployerArtifact.bytecode, [factory]);
  const plugins = bundled("AlgebraBasePluginV1Factory");
  const pluginAbi = bundled("AlgebraBasePluginV1").abi;
  const pluginFactory = await anvil.deploy(plugins.abi, plugins.bytecode, [deployer]);
  const quoterOf = bundled("AlgebraQuoterV2");
  const poolDeployer = await anvil.read<Address>(factory, factoryAbi, "poolDeployer", []);
  const quoter = await anvil.deploy(quoterOf.abi, quoterOf.bytecode, [factory, anvil.account, poolDeployer]);
  const ofFactory = (functionName: string, ...args: readonly unknown[]) =>
    anvil.send(factory, encodeFunctionData({ abi: factoryAbi, functionName, args }));
  const ofDeployer = (functionName: string, ...args: readonly unknown[]) =>
    anvil.send(deployer, encodeFunctionData({ abi: deployerArtifact.abi, functionName, args }));
  const ofPool: PluginWorld["ofPool"] = (pool, functionName, ...args) =>
    anvil.send(pool, encodeFunctionData({ abi: poolAbi, functionName, args }));
  for (const role of ["CUSTOM_POOL_DEPLOYER", "POOLS_ADMINISTRATOR_ROLE"]) {
    await ofFactory("grantRole", await anvil.read(factory, factoryAbi, role, []), deployer);
  }
  await ofDeployer("setAlgebraPluginFactory", pluginFactory);
  await anvil.mine();
  const random = createRandom(1_414);
  const record = { protocol: "algebra", source: "Algebra", factory, quoter, fromBlock: 0n } as const;

  const pluginOf = async (pool: Address) => toAddress(await anvil.read<string>(pool, poolAbi, "plugin", []));
  const configure: PluginWorld["configure"] = async (pool, drawn) => {
    const plugin = await pluginOf(pool);
    const terms = {
      ...{ alpha1: drawn.int(0, 20_000), alpha2: drawn.int(0, 20_000), baseFee: drawn.int(1, 6_000) },
      ...{ beta1: drawn.int(0, 3_000), beta2: drawn.int(0, 60_000) },
      ...{ gamma1: drawn.int(1, 3_000), gamma2: drawn.int(1, 9_000) },
    };
    await anvil.send(
      plugin,
      encodeFunctionData({ abi: pluginAbi, functionName: "changeFeeConfiguration", args: [terms] }),
    );
  };

  return {
    ...plain,
    ...{ factory, deployer, quoter, pluginOf, configure, ofPool },
    source: algebra({ ...record, deployers: [deployer] }),
    leavesOut: true,
    sourceOf: (deployers) => algebra({ ...record, deployers: [...deployers] }),
    tiers: [{ fee: 0, spacing: 60, quotes: 90 }],
    setPluginFactory: (plugged) => ofDeployer("setAlgebraPluginFactory", plugged),
    wait: (seconds) => anvil.rpc("evm_increaseTime", [seconds]),
    async create(tokens, _fee, price) {
      await ofDeployer("createPool", ...tokens, price);
      await anvil.mine();
      const args = [deployer, ...tokens];
      const address = toAddress(await anvil.read<string>(factory, factoryAbi, "customPoolByPair", args));
      await configure(address, random);
      return { id: address, address, tokens, terms: {} };
    },
    async disturb(pool) {
      await configure(pool.address, random);
      await anvil.mine();
      for (let block = random.int(1, 5); block > 0; block--) {
        await anvil.rpc("evm_increaseTime", [random.pick([3, 600, 20_000, 90_000])]);
        await plain.swapExactIn(pool, random.chance(0.5), random.ofBits(74));
        await anvil.mine();
      }
      await anvil.rpc("evm_increaseTime", [random.pick([1, 30, 4_000, 100_000])]);
    },
  };
}
