import { encodeFunctionData, toFunctionSelector } from "viem";
import { compiled } from "../../../../fixtures/settlement/node.ts";
import { bundled } from "../../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress } from "../../../../src/domain/address.ts";
import type { PoolRef } from "../../../../src/market/liquidity-source.ts";
import { pancakeswapV3 } from "../../../../src/venues/pancakeswap-v3/source.ts";
import type { ConcentratedVenue } from "../../../support/suites/concentrated-exactness.ts";
import type { Anvil } from "../anvil.ts";
import { type Desk, deployDesk } from "../traffic/desk.ts";

const factoryArtifact = bundled("PancakeV3Factory");
const poolArtifact = bundled("PancakeV3Pool");
const deployerArtifact = compiled("DevnetPancakeV3Deployer");

export type PancakeV3World = ConcentratedVenue & {
  readonly factory: Address;
  readonly desk: Desk;
  /** Has a pool tell a farm of its swaps, or none. */
  setFarm(pool: PoolRef, farm: Address): Promise<unknown>;
};

/** PancakeSwap V3's factory and pools as its makers compiled them; their deployer is the devnet's. */
export async function deployPancakeV3(anvil: Anvil): Promise<PancakeV3World> {
  const deployer = await anvil.deploy(deployerArtifact.abi, deployerArtifact.bytecode, [poolArtifact.bytecode]);
  const factory = await anvil.deploy(factoryArtifact.abi, factoryArtifact.bytecode, [deployer]);
  const desk = await deployDesk(anvil, toFunctionSelector("slot0()"));
  const call = (functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi: factoryArtifact.abi, functionName, args });
  return {
    factory,
    desk,
    source: pancakeswapV3({ protocol: "pancakeswap-v3", source: "PancakeSwap_V3", factory, fromBlock: 0n }),
    spenders: [desk.address],
    tiers: [
      { fee: 100, spacing: 1, quotes: 15 },
      { fee: 500, spacing: 10, quotes: 45 },
      { fee: 2500, spacing: 50, quotes: 60 },
      { fee: 10000, spacing: 200, quotes: 60 },
    ],
    async create(tokens, fee, price) {
      await anvil.send(factory, call("createPool", [...tokens, fee]));
      await anvil.mine();
      const address = toAddress(await anvil.read<string>(factory, factoryArtifact.abi, "getPool", [...tokens, fee]));
      const init = { abi: poolArtifact.abi, functionName: "initialize", args: [price] };
      await anvil.send(address, encodeFunctionData(init));
      await anvil.mine();
      return { id: address, address, tokens, terms: { fee: String(fee) } };
    },
    mint: ({ address }, lower, upper, size) => desk.mint(address, lower, upper, size),
    swapExactIn: ({ address }, zeroForOne, amount) => desk.swapExactIn(address, zeroForOne, amount),
    disturb: ({ address }) => anvil.send(factory, call("setFeeProtocol", [address, 4_000, 3_200])),
    setFarm: ({ address }, farm) => anvil.send(factory, call("setLmPool", [address, farm])),
    quote: ({ address }, asked) => desk.quote(address, asked),
    decode: desk.decode,
  };
}
