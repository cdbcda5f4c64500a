import type { Network } from "../../../src/domain/network.ts";
import type { Token } from "../token.ts";

/** Chain and tokens of the service. */
export interface Served {
  readonly network: Network;
  readonly tokens: readonly Token[];
}

/** Asks the service, which takes no key for this. @throws TypeError when it cannot be reached */
export async function readServed(): Promise<Served> {
  const [list, status] = await Promise.all([readJson("/tokens.json"), readJson("/status")]);
  const { tokens } = list as { readonly tokens: readonly Token[] };
  const { chainId, network } = status as { readonly chainId: number; readonly network: Omit<Network, "chainId"> };
  return {
    network: { ...network, chainId },
    tokens: tokens.map(({ address, symbol, name, decimals }) => ({
      address: address.toLowerCase(),
      symbol,
      name,
      decimals,
    })),
  };
}

async function readJson(path: string): Promise<unknown> {
  return (await fetch(path)).json();
}

/** A link to the chain's explorer; undefined where the chain's record has none. */
export function explorerLink(
  { explorer }: Pick<Network, "explorer">,
  kind: "tx" | "address" | "token",
  id: string,
): string | undefined {
  const isWeb = explorer !== undefined && /^https?:\/\//.test(explorer);
  return isWeb ? `${explorer}/${kind}/${encodeURIComponent(id)}` : undefined;
}
