import { encodeAbiParameters, encodeEventTopics, type Hex, pad, parseAbi } from "viem";
import { expect, test } from "vitest";
import { type Address, toAddress, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { Log } from "../../../src/market/chain-reader.ts";
import { balancerV2 } from "../../../src/venues/balancer-v2/source.ts";
import { balancerV3 } from "../../../src/venues/balancer-v3/source.ts";
import { poolIdOf } from "../../../src/venues/uniswap-v4/pool-key.ts";
import { uniswapV4 } from "../../../src/venues/uniswap-v4/source.ts";

/** Creation logs of pools that are not served: each is counted by the source whose venue announces it, and by no other. */

const at = (digit: number) => toAddress(`0x${String(digit).repeat(40)}`);
const HASH: Hex = `0x${"1".repeat(64)}`;

function logOf(address: Address, topics: readonly Hex[], data: Hex): Log {
  return { address, topics, data, blockHash: HASH, blockNumber: 1n, logIndex: 0 };
}

const V4 = parseAbi([
  "event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)",
]);
const V2 = parseAbi(["event TokensRegistered(bytes32 indexed poolId, address[] tokens, address[] assetManagers)"]);
const V3 = parseAbi([
  "struct TokenConfig { address token; uint8 tokenType; address rateProvider; bool paysYieldFees; }",
  "struct Roles { address pauseManager; address swapFeeManager; address poolCreator; }",
  "struct Hooks { bool a; bool b; bool c; bool d; bool e; bool f; bool g; bool h; bool i; bool j; address hooks; }",
  "struct Liquidity { bool a; bool b; bool c; bool d; }",
  "event PoolRegistered(address indexed pool, address indexed factory, TokenConfig[] tokenConfig, uint256 swapFeePercentage, uint32 pauseWindowEndTime, Roles roles, Hooks hooks, Liquidity liquidity)",
]);

function initialized(manager: Address, hooks: Address): Log {
  const [currency0, currency1, fee, tickSpacing] = [at(1), at(2), 3_000, 60] as const;
  const id = poolIdOf({ currencies: [currency0, currency1], fee, tickSpacing, hooks }) as Hex;
  const topics = encodeEventTopics({ abi: V4, args: { id, currency0, currency1 } }) as Hex[];
  const types = ["uint24", "int24", "address", "uint160", "int24"].map((type) => ({ type }));
  return logOf(manager, topics, encodeAbiParameters(types, [fee, tickSpacing, hooks, 1n << 96n, 0]));
}

test("Uniswap V4: pools whose hooks may change swaps", () => {
  const source = uniswapV4({ protocol: "uniswap-v4", source: "V4", factory: at(9), fromBlock: 0n });
  const beforeSwap = toAddress(`0x${"5".repeat(36)}0080`);
  const beforeInitialize = toAddress(`0x${"5".repeat(36)}2000`);
  expect(source.refused?.(initialized(at(9), beforeSwap))).toBe("UNKNOWN_HOOKS");
  expect(source.created?.(initialized(at(9), beforeSwap))).toBeUndefined();
  for (const hooks of [ZERO_ADDRESS, beforeInitialize]) {
    expect(source.refused?.(initialized(at(9), hooks))).toBeUndefined();
    expect(source.created?.(initialized(at(9), hooks))).toBeDefined();
  }
  expect(source.refused?.(initialized(at(8), beforeSwap))).toBeUndefined();
});

test("Balancer V2: pools that somebody may take tokens out of on the side", () => {
  const source = balancerV2({ protocol: "balancer-v2", source: "V2", vault: at(9), factories: [], fromBlock: 0n });
  const registered = (manager: Address) => {
    const topics = encodeEventTopics({ abi: V2, args: { poolId: pad(at(3), { dir: "right" }) } }) as Hex[];
    const list = { type: "address[]" } as const;
    const data = encodeAbiParameters(
      [list, list],
      [
        [at(1), at(2)],
        [ZERO_ADDRESS, manager],
      ],
    );
    return logOf(at(9), topics, data);
  };
  expect(source.refused?.(registered(at(7)))).toBe("UNKNOWN_VERSION");
  expect(source.refused?.(registered(ZERO_ADDRESS))).toBeUndefined();
  expect(source.created?.(registered(ZERO_ADDRESS))).toBeDefined();
});

test("Balancer V3: pools of factories that the record does not name", () => {
  const source = balancerV3({
    ...{ protocol: "balancer-v3", source: "V3", vault: at(9), fromBlock: 0n },
    factories: [{ factory: at(4), kind: "weighted" }],
  });
  const topicsOf = (factory: Address) => encodeEventTopics({ abi: V3, args: { pool: at(3), factory } }) as Hex[];
  expect(source.refused?.(logOf(at(9), topicsOf(at(5)), "0x"))).toBe("UNKNOWN_VERSION");
  expect(source.refused?.(logOf(at(9), topicsOf(at(4)), "0x"))).toBeUndefined();
  expect(source.refused?.(logOf(at(8), topicsOf(at(5)), "0x"))).toBeUndefined();
});
