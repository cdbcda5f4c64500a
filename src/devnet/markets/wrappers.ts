import { erc20Abi, maxUint256 } from "viem";
import type { Address } from "../../domain/address.ts";
import type { AnyRecord } from "../../venues/index.ts";
import { deploymentOf, ownContract } from "../contracts/own-contracts.ts";
import { devnetAccounts } from "../node/accounts.ts";
import { callWith, type Transaction } from "../node/node-transactions.ts";
import type { DevnetLayout, DevnetToken } from "../plan/layout.ts";
import { unitsWorth } from "../plan/liquidity.ts";

type TokenOf = DevnetLayout["token"];

/** Wrapper tokens; `worth` is the value of one in its asset, in thousandths. */
const VAULT = { asset: "USDH", symbol: "vUSDH", name: "Harbor Dollar Vault", worth: 1_060n } as const;
const RATE_TOKEN = { asset: "LOCK", symbol: "wLOCK", name: "Wrapped Staked Lock", worth: 1_173n } as const;
/** Fees in parts of 10^18: the stablecoin is worth a little more than its gem, and buying it costs about that. */
const PSM = { dai: "DSD", gem: "USDH", tin: 450_000_000_000_000n, tout: 100_000_000_000_000n } as const;

const WHALE_USD = 40_000_000n;
const PSM_USD = 3_000_000n;
const THOUSAND = 1_000n;

function deployments(token: TokenOf) {
  const { whale } = devnetAccounts();
  const of = (symbol: string) => token(symbol).address;
  const { decimals } = token(RATE_TOKEN.asset);
  return {
    vault: deploymentOf(ownContract("DevnetVault"), [of(VAULT.asset), VAULT.name, VAULT.symbol, 0]),
    rateToken: deploymentOf(ownContract("DevnetRateToken"), [
      ...[of(RATE_TOKEN.asset), RATE_TOKEN.name, RATE_TOKEN.symbol, decimals, whale],
    ]),
    psm: deploymentOf(ownContract("DevnetPsm"), [of(PSM.dai), of(PSM.gem), PSM.tin, PSM.tout, whale]),
  };
}

/** The tokens that wrappers make: shares of a vault, and a token with a rate. */
export function wrapperTokens(token: TokenOf): readonly DevnetToken[] {
  const { vault, rateToken } = deployments(token);
  const made = (address: Address, { asset, symbol, name, worth }: typeof VAULT | typeof RATE_TOKEN): DevnetToken => {
    const { decimals, picoUsd } = token(asset);
    return {
      ...{ address, symbol, name, decimals, returnless: false, wrapper: true },
      picoUsd: (picoUsd * worth) / THOUSAND,
    };
  };
  return [made(vault.address, VAULT), made(rateToken.address, RATE_TOKEN)];
}

/** The wrappers as venues of the chain. */
export function wrapperVenues(layout: DevnetLayout): readonly AnyRecord[] {
  const { vault, rateToken, psm } = deployments(layout.token);
  const of = (symbol: string) => layout.token(symbol).address;
  return [
    {
      ...{ protocol: "erc4626", source: "ERC4626", fromBlock: 1n },
      vaults: [{ vault: vault.address, asset: of(VAULT.asset), decimalsOffset: 0 }],
    },
    {
      ...{ protocol: "rate-token", source: "Rate_Tokens", fromBlock: 1n },
      tokens: [{ token: rateToken.address, underlying: of(RATE_TOKEN.asset), totals: rateToken.address }],
    },
    {
      ...{ protocol: "psm", source: "PSM", fromBlock: 1n },
      modules: [{ psm: psm.address, dai: of(PSM.dai), gem: of(PSM.gem) }],
    },
  ];
}

/** Deploys the wrappers, has the whale enter them, raises their rates, and gives the module what it trades with. */
export function seedWrappers(layout: DevnetLayout, whale: Address): readonly Transaction[] {
  const { vault, rateToken, psm } = deployments(layout.token);
  const token = callWith(erc20Abi);
  const [shares, locked] = [layout.token(VAULT.asset), layout.token(RATE_TOKEN.asset)];
  const [entered, wrapped] = [unitsWorth(shares, WHALE_USD), unitsWorth(locked, WHALE_USD)];
  const surplus = (amount: bigint, worth: bigint) => (amount * (worth - THOUSAND)) / THOUSAND;
  const wrapper = callWith(ownContract("DevnetRateToken").abi);
  const [dai, gem] = [layout.token(PSM.dai), layout.token(PSM.gem)];
  return [
    vault.transaction,
    token("approve", shares.address, [vault.address, maxUint256]),
    callWith(ownContract("DevnetVault").abi)("deposit", vault.address, [entered, whale]),
    token("transfer", shares.address, [vault.address, surplus(entered, VAULT.worth)]),
    rateToken.transaction,
    token("approve", locked.address, [rateToken.address, maxUint256]),
    wrapper("wrap", rateToken.address, [wrapped]),
    token("transfer", locked.address, [rateToken.address, surplus(wrapped, RATE_TOKEN.worth)]),
    wrapper("report", rateToken.address, [RATE_TOKEN.worth * 10n ** 21n, 10n ** 24n]),
    psm.transaction,
    token("transfer", dai.address, [psm.address, unitsWorth(dai, PSM_USD)]),
    token("transfer", gem.address, [psm.address, unitsWorth(gem, PSM_USD)]),
  ];
}
