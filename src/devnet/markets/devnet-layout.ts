import { getContractAddress, getCreate2Address, keccak256 } from "viem";
import { type Address, oncePer, toAddress } from "../../domain/address.ts";
import { bundled } from "../contracts/bundle.ts";
import { type CatalogToken, TOKENS, WRAPPED_NATIVE } from "../plan/catalog.ts";
import type { DevnetContracts, DevnetLayout, DevnetToken } from "../plan/layout.ts";
import { algebraFactory } from "./algebra.ts";
import { balancerShare } from "./balancer-v2.ts";
import { curveShares } from "./curve.ts";
import { deskAddress } from "./desk.ts";
import { clPoolManager } from "./infinity-cl.ts";
import { liquidityBookFactory } from "./liquidity-book.ts";
import { pancakeV3Factory } from "./pancake-v3.ts";
import { slipstreamFactory } from "./slipstream.ts";
import { solidlyFactory } from "./solidly.ts";
import { poolManager } from "./uniswap-v4.ts";
import { wrapperTokens } from "./wrappers.ts";

/** The contracts in the order of their deployment: the position is the whale's nonce. */
export const DEPLOYMENT_ORDER = [
  "weth",
  "uniswapV2Factory",
  "uniswapV2Router",
  "pancakeV2Factory",
  "uniswapV3Factory",
  "positionManager",
  "swapRouter",
  "quoterV2",
  "tickLens",
] as const satisfies readonly (keyof DevnetContracts)[];

/** All addresses of the devnet, computed without a node. */
export const devnetLayout = oncePer((whale: Address): DevnetLayout => {
  const created = (nonce: number) => toAddress(getContractAddress({ from: whale, nonce: BigInt(nonce) }));
  const deployed = Object.fromEntries(DEPLOYMENT_ORDER.map((name, nonce) => [name, created(nonce)])) as {
    readonly [Name in (typeof DEPLOYMENT_ORDER)[number]]: Address;
  };
  const contracts = {
    ...deployed,
    multicall3: toAddress("0xcA11bde05977b3631167028862bE2a173976CA11"),
    solidlyFactory: solidlyFactory(),
    slipstreamFactory: slipstreamFactory(),
    desk: deskAddress(),
    pancakeV3Factory: pancakeV3Factory(),
    poolManager: poolManager(whale),
    algebraFactory: algebraFactory(),
    liquidityBookFactory: liquidityBookFactory(whale),
    clPoolManager: clPoolManager(whale),
  };
  const known = (token: CatalogToken, address: Address): DevnetToken => ({
    ...token,
    address,
    returnless: token.returnless ?? false,
  });
  const plain = [
    known(WRAPPED_NATIVE, contracts.weth),
    ...TOKENS.map((token, index) => known(token, created(DEPLOYMENT_ORDER.length + index))),
  ];
  const bySymbol = new Map(plain.map((token) => [token.symbol, token]));
  const token: DevnetLayout["token"] = (symbol) => {
    const found = bySymbol.get(symbol);
    if (found === undefined) throw new Error(`the devnet has no token ${symbol}`);
    return found;
  };
  const tokens = [...plain, ...wrapperTokens(token), balancerShare(contracts.weth), ...curveShares(token)];
  for (const each of tokens) bySymbol.set(each.symbol, each);
  const pairs = {
    "uniswap-v2": { from: contracts.uniswapV2Factory, codeHash: keccak256(bundled("UniswapV2Pair").bytecode) },
    "pancake-v2": { from: contracts.pancakeV2Factory, codeHash: keccak256(bundled("PancakePair").bytecode) },
  };
  return {
    contracts,
    tokens,
    token,
    pairAddress: (venue, a, b) => {
      const [token0, token1] = inOrder(a, b);
      const { from, codeHash } = pairs[venue];
      const salt = keccak256(`0x${token0.slice(2)}${token1.slice(2)}`);
      return toAddress(getCreate2Address({ from, salt, bytecodeHash: codeHash }));
    },
  };
});

/** Two tokens as a pool keeps them: the smaller address first. */
function inOrder(a: Address, b: Address): readonly [Address, Address] {
  return a < b ? [a, b] : [b, a];
}
