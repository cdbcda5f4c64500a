import { encodeFunctionData, getContractAddress, type Hex, toFunctionSelector } from "viem";
import { compiled } from "../../../../fixtures/settlement/node.ts";
import { bundled } from "../../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress } from "../../../../src/domain/address.ts";
import { algebra } from "../../../../src/venues/algebra/source.ts";
import type { ConcentratedVenue } from "../../../support/suites/concentrated-exactness.ts";
import type { Anvil } from "../anvil.ts";
import { deployDesk } from "../traffic/desk.ts";

const factoryArtifact = bundled("AlgebraFactory");
const deployerArtifact = bundled("AlgebraPoolDeployer");
const poolAbi = bundled("AlgebraPool").abi;
const deskAbi = compiled("DevnetDesk").abi;

export interface AlgebraWorld extends ConcentratedVenue {
  readonly factory: Address;
  burn(pool: Address, lower: number, upper: number, liquidity: bigint): Promise<Hex>;
  setFee(pool: Address, feePpm: number): Promise<Hex>;
  /** Sets a plugin and its hooks: any address can be one as long as it is not called. */
  setPlugin(pool: Address, config: number): Promise<Hex>;
  setTickSpacing(pool: Address, spacing: number): Promise<Hex>;
}

/** Algebra Integral's factory, deployer and pools as their makers compiled them; the sender is the owner. */
export async function deployAlgebra(anvil: Anvil): Promise<AlgebraWorld> {
  const count = await anvil.rpc<Hex>("eth_getTransactionCount", [anvil.account, "latest"]);
  const second = getContractAddress({ from: anvil.account, nonce: BigInt(count) + 1n });
  const factory = await anvil.deploy(factoryArtifact.abi, factoryArtifact.bytecode, [second]);
  await anvil.deploy(deployerArtifact.abi, deployerArtifact.bytecode, [factory]);
  const desk = await deployDesk(anvil, toFunctionSelector("globalState()"));
  const ofDesk = (functionName: string, args: readonly unknown[]) =>
    anvil.send(desk.address, encodeFunctionData({ abi: deskAbi, functionName, args }));
  const ofPool = (pool: Address, functionName: string, ...args: readonly unknown[]) =>
    anvil.send(pool, encodeFunctionData({ abi: poolAbi, functionName, args }));
  const setFee: AlgebraWorld["setFee"] = (pool, fee) => ofPool(pool, "setFee", fee);
  return {
    factory,
    burn: (...args) => ofDesk("burnAlgebra", args),
    setFee,
    async setPlugin(pool, config) {
      await ofPool(pool, "setPlugin", anvil.multicall);
      return ofPool(pool, "setPluginConfig", config);
    },
    setTickSpacing: (pool, spacing) => ofPool(pool, "setTickSpacing", spacing),
    source: algebra({ protocol: "algebra", source: "Algebra", factory, fromBlock: 0n }),
    spenders: [desk.address],
    // One pool for two tokens; the spacing is the default one.
    tiers: [{ fee: 500, spacing: 60, quotes: 90 }],
    async create(tokens, fee, price) {
      const call = { abi: factoryArtifact.abi, functionName: "createPool", args: [...tokens, "0x"] };
      await anvil.send(factory, encodeFunctionData(call));
      await anvil.mine();
      const address = toAddress(await anvil.read<string>(factory, factoryArtifact.abi, "poolByPair", tokens));
      await ofPool(address, "initialize", price);
      await anvil.mine();
      await setFee(address, fee);
      return { id: address, address, tokens, terms: {} };
    },
    mint: ({ address }, lower, upper, size) => ofDesk("mintAlgebra", [address, lower, upper, size]),
    swapExactIn: ({ address }, zeroForOne, amount) => desk.swapExactIn(address, zeroForOne, amount),
    async disturb({ address }) {
      await setFee(address, 12_345);
      await ofPool(address, "setCommunityFee", 0);
    },
    quote: ({ address }, asked) => desk.quote(address, asked),
    decode: desk.decode,
  };
}
