import { erc20Abi } from "viem";
import type { Address } from "../../domain/address.ts";
import type { Token } from "../../domain/token.ts";
import { bundled } from "../contracts/bundle.ts";
import { deploymentOf, ownContract } from "../contracts/own-contracts.ts";
import { callWith, type Transaction } from "../node/node-transactions.ts";
import type { DevnetLayout } from "../plan/layout.ts";

/** Tokens that keep a part of transfers: one always the same, one another part every twelve seconds. */
const TAXED = [
  { symbol: "LEVY", name: "Levy", taxPpm: 30_000n, changes: false },
  { symbol: "TOLL", name: "Toll", taxPpm: 10_000n, changes: true },
] as const;

const DECIMALS = 18;
const UNIT = 10n ** 18n;
const SUPPLY = 1_000_000_000n * UNIT;
/** Reserves of each token's pair with WETH. */
const DEPTH = { token: 250_000n * UNIT, weth: 100n * UNIT } as const;

function deploymentsFor(whale: Address) {
  const contract = ownContract("DevnetTaxedToken");
  return TAXED.map(({ symbol, name, taxPpm, changes }) => {
    const { address, transaction } = deploymentOf(contract, [name, symbol, whale, SUPPLY, taxPpm, changes]);
    return { token: { address, symbol, name, decimals: DECIMALS }, transaction };
  });
}

/** These tokens. They stand on no list, so that nobody meets them who does not name them. */
export function taxedTokens(whale: Address): readonly Token[] {
  return deploymentsFor(whale).map(({ token }) => token);
}

/** Deploys them and fills their Uniswap V2 pairs with WETH. */
export function seedTaxedTokens({ contracts, pairAddress }: DevnetLayout, whale: Address): readonly Transaction[] {
  const erc20 = callWith(erc20Abi);
  const { weth, uniswapV2Factory } = contracts;
  return deploymentsFor(whale).flatMap(({ token, transaction }) => {
    const pair = pairAddress("uniswap-v2", token.address, weth);
    return [
      transaction,
      callWith(bundled("UniswapV2Factory").abi)("createPair", uniswapV2Factory, [token.address, weth]),
      erc20("transfer", token.address, [pair, DEPTH.token]),
      erc20("transfer", weth, [pair, DEPTH.weth]),
      callWith(bundled("UniswapV2Pair").abi)("mint", pair, [whale]),
    ];
  });
}
