import { encodeFunctionData, toFunctionSelector } from "viem";
import { bundled } from "../../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress } from "../../../../src/domain/address.ts";
import { algebraV1 } from "../../../../src/venues/algebra-v1/source.ts";
import type { Anvil } from "../anvil.ts";
import { compiled } from "../compiled.ts";
import { deployDesk } from "../traffic/desk.ts";
import { createRandom } from "../traffic/random.ts";
import type { AlgebraV1World } from "./v1.ts";

/** Pools with the interface of Camelot V3's, over the code of Algebra's first version: DirectionalPool.sol. */
export async function deployDirectional(anvil: Anvil): Promise<AlgebraV1World> {
  const [factoryAbi, poolAbi] = [compiled("DirectionalFactory").abi, compiled("DirectionalPool").abi];
  const model = bundled("AlgebraV1Pool");
  const factory = await anvil.deploy(factoryAbi, compiled("DirectionalFactory").bytecode);
  const quoter = await anvil.deploy(compiled("AlgebraQuoter").abi, compiled("AlgebraQuoter").bytecode, [factory]);
  const desk = await deployDesk(anvil, toFunctionSelector("globalState()"));
  const deskAbi = compiled("DevnetDesk").abi;
  const random = createRandom(1_314);

  const configure: AlgebraV1World["configure"] = async (pool, drawn) => {
    const args = [drawn.int(1, 30_000), drawn.int(1, 30_000)];
    await anvil.send(pool, encodeFunctionData({ abi: poolAbi, functionName: "setBases", args }));
  };
  const passTime = () => anvil.rpc("evm_increaseTime", [random.pick([1, 30, 4_000, 100_000])]);
  const atDesk = (functionName: string, pool: Address, ...args: readonly unknown[]) =>
    anvil.send(desk.address, encodeFunctionData({ abi: deskAbi, functionName, args: [pool, ...args] }));

  return {
    ...{ factory, quoter, configure },
    source: algebraV1({ protocol: "algebra-v1", source: "Algebra_V1", factory, quoter, fromBlock: 0n }),
    spenders: [desk.address],
    tiers: [{ fee: 0, spacing: 60, quotes: 30 }],
    async create(tokens, _fee, price) {
      const args = [...tokens, model.bytecode];
      await anvil.send(factory, encodeFunctionData({ abi: factoryAbi, functionName: "createPool", args }));
      await anvil.mine();
      const address = toAddress(await anvil.read<string>(factory, factoryAbi, "poolByPair", tokens));
      if (price !== 0n)
        await anvil.send(address, encodeFunctionData({ abi: model.abi, functionName: "initialize", args: [price] }));
      await configure(address, random);
      await anvil.mine();
      return { id: address, address, tokens, terms: {} };
    },
    mint: ({ address }, lower, upper, size) => atDesk("mintAlgebra", address, lower, upper, size),
    burn: desk.burn,
    swapExactIn: ({ address }, zeroForOne, amount) => desk.swapExactIn(address, zeroForOne, amount),
    wait: (seconds) => anvil.rpc("evm_increaseTime", [seconds]),
    async disturb({ address }) {
      await desk.swapExactIn(address, random.chance(0.5), random.ofBits(74));
      await anvil.mine();
      await configure(address, random);
      await passTime();
    },
    quote: ({ address }, asked) => desk.quote(address, asked),
    decode: desk.decode,
  };
}
