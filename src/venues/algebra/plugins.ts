import { toFunctionSelector } from "viem";
import { type Address, type Hex, ZERO_ADDRESS } from "../../domain/address.ts";
import { callGroups } from "../reading/call-groups.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";
import type { ChainAt } from "../uniswap-v3/heads.ts";

export const PLUGIN = toFunctionSelector("plugin()");
/** A deployer's factory of plugins (CustomPoolDeployer.sol of Blackhole). */
export const PLUGIN_FACTORY = toFunctionSelector("algebraPluginFactory()");
const PLUGIN_BY_POOL = toFunctionSelector("pluginByPool(address)");
const FEE_CONFIG = toFunctionSelector("feeConfig()");
/** Words of the sigmoids' terms: two heights, two middles, two widths, and the least fee. */
const CONFIG_WORDS = 7;

/** A custom pool and its plugin, with the factory that may have made it. */
export interface Plugged {
  readonly pool: Address;
  readonly deployer: Address;
  readonly plugin: Hex;
  readonly factory: Hex;
}

/** Whether each is a plugin that its factory itself names for the pool and that has the adaptive fee's terms. */
export async function areAdaptive(
  { chain, at }: ChainAt,
  plugged: readonly (Plugged | undefined)[],
): Promise<readonly boolean[]> {
  const addresses = plugged.map((each) => each && addressAt(each.plugin, 0));
  const calls = plugged.map((each, index) => {
    const plugin = addresses[index];
    const factory = each && addressAt(each.factory, 0);
    if (each === undefined || !plugin || !factory || plugin === ZERO_ADDRESS) return [];
    return [
      { to: factory, data: `${PLUGIN_BY_POOL}${wordOf(BigInt(each.pool))}` } as const,
      { to: plugin, data: FEE_CONFIG },
    ];
  });
  const answers = await callGroups(chain, calls, at);
  return addresses.map((plugin, index) => {
    const [named = "0x", config = "0x"] = answers[index] ?? [];
    const isNamed = plugin !== undefined && addressAt(named, 0) === plugin;
    return isNamed && uintAt(config, CONFIG_WORDS - 1, 16) !== undefined;
  });
}
