import { type Abi, encodeFunctionData, type Hex, zeroAddress, zeroHash } from "viem";
import { expect, it, vi } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { AnyRecord } from "../../../src/venues/index.ts";
import { useDevnet } from "../../support/worlds/devnet.ts";
import { revertReader, revertReason } from "../../support/worlds/revert-reason.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const devnet = useDevnet();

/** Revert data of the contract itself. */
async function revertOf(
  from: Address,
  to: Address,
  abi: Abi,
  functionName: string,
  args: readonly unknown[],
): Promise<Hex> {
  const call = { from, to, data: encodeFunctionData({ abi, functionName, args }) };
  const answer = await fetch(devnet().rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_call", params: [call, "latest"] }),
  });
  const { error } = (await answer.json()) as { error?: { data?: Hex } };
  expect(error, functionName).toBeDefined();
  return error?.data ?? "0x";
}

function venue<P extends AnyRecord["protocol"]>(protocol: P) {
  return devnet().chain.venues.find((each) => each.protocol === protocol) as Extract<AnyRecord, { protocol: P }>;
}

const key = (hooks: Address = zeroAddress as Address) => {
  const usdh = devnet().tokens.find(({ symbol }) => symbol === "USDH")!.address;
  return { currency0: zeroAddress, currency1: usdh, fee: 3000, tickSpacing: 60, hooks };
};

it("reads what the makers' contracts revert with", async () => {
  const { whale, contracts } = devnet();
  const manager = contracts.poolManager;
  const swap = { zeroForOne: true, amountSpecified: -1n, sqrtPriceLimitX96: 4295128740n };
  const { vault } = venue("balancer-v2");
  const single = { poolId: zeroHash, kind: 0, assetIn: manager, assetOut: vault, amount: 1n, userData: "0x" };
  const funds = { sender: whale, fromInternalBalance: false, recipient: whale, toInternalBalance: false };
  const v3 = venue("balancer-v3").vault;
  const inVault = { kind: 0, pool: v3, tokenIn: v3, tokenOut: vault, amountGivenRaw: 1n, limitRaw: 0n, userData: "0x" };
  const reverts = [
    [manager, "PoolManager", "swap", [key(), swap, "0x"], "ManagerLocked()", "Uniswap_V4"],
    [
      vault,
      "BalancerVault",
      "swap",
      [single, funds, 0n, 0n],
      "the swap's deadline has passed (BAL#508)",
      "Balancer_V2",
    ],
    [v3, "BalancerV3Vault", "swap", [inVault], "VaultIsNotUnlocked()", "Balancer_V3"],
  ] as const;
  for (const [to, artifact, functionName, args, reason, source] of reverts) {
    const data = await revertOf(whale, to, bundled(artifact).abi as Abi, functionName, args);
    expect(revertReason(data), artifact).toBe(reason);
    const fills = ["Uniswap_V2", source].map((each) => ({ source: each, poolId: `of ${each}` }));
    expect(revertReader.where(data, fills)).toBe(`, at ${source} (pool of ${source})`);
  }
});

it("reads the reason inside WrappedError of Uniswap V4, and whose it is", async () => {
  const { whale, contracts } = devnet();
  const { abi, bytecode } = compiled("DevnetV4Desk");
  const code = `${bytecode}${contracts.poolManager.slice(2).padStart(64, "0")}` as Hex;
  const { contractAddress } = await devnet().sendTransaction(whale, { data: code });
  const desk = toAddress(contractAddress!);
  // The receiver of the native token is a contract that takes none.
  const receiver = contracts.uniswapV2Factory;
  const data = await revertOf(receiver, desk, abi, "swap", [key(), false, 1_000n * 10n ** 6n]);
  expect(data.slice(0, 10)).toBe("0x90bfb865");
  expect(revertReason(data)).toBe(`reverted without a reason, in ${receiver}`);
  const fills = ["Curve", "Uniswap_V4"].map((each) => ({ source: each, poolId: `of ${each}` }));
  expect(revertReader.where(data, fills)).toContain("at Uniswap_V4 (pool of Uniswap_V4)");
});
