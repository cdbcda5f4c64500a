import { encodeFunctionData } from "viem";
import type { VenueRecord } from "../../../../src/market/venue-record.ts";
import { compiled } from "../../../venues/worlds/compiled.ts";
import { deployPancakeStable, pancakeStableCall } from "../../../venues/worlds/curve/pancake-stableswap.ts";
import { deployPropAmmOf } from "../../../venues/worlds/prop-amm.ts";
import { transferData } from "../../../venues/worlds/traffic/minted-tokens.ts";
import { deploySavings, savingsCall, vaultCall } from "../../../venues/worlds/vault.ts";
import type { DevnetPlace } from "./place.ts";

/** A rate of 1.04 that grows by 5 % a year, with 27 digits after the point. */
const [RATE, GROWTH] = [1_040_000_000_000_000_000_000_000_000n, 1_000_000_001_547_125_957_863_212_448n];
const WHOLE = 10n ** 18n;
const HELD = 400_000n;

/** A vault of DSD whose rate grows by the second, and pools of Lista's kind: its shares or DSD against USDH. */
export async function addSavings(place: DevnetPlace): Promise<readonly VenueRecord[]> {
  const { tokens, decimals } = place.pair("USDH", "DSD");
  const dsd = tokens[decimals.indexOf(18)]!;
  const usdh = tokens[decimals.indexOf(6)]!;
  const savings = await deploySavings(place, 18, dsd);
  const { timestamp } = await place.head();
  await place.send(savings.vault, savingsCall("set", [RATE, timestamp, GROWTH]));
  await place.approve([dsd], [savings.vault]);
  await place.send(savings.vault, vaultCall("deposit", [2n * HELD * WHOLE, place.account]));
  await place.mine();
  const { abi, bytecode } = compiled("DevnetPancakeStableFactory");
  const factory = await place.deploy(abi, bytecode, []);
  for (const [other, amount] of [
    [dsd, HELD * WHOLE],
    [savings.vault, HELD * WHOLE],
  ] as const) {
    const terms = { kind: "lista", precision: 100n, decimals: [6, 18], a: 300n, fee: 1_000_000n } as const;
    const { address } = await deployPancakeStable(place, { ...terms, tokens: [usdh, other] });
    await place.send(usdh, transferData(address, HELD * 10n ** 6n));
    await place.send(other, transferData(address, amount));
    await place.send(address, pancakeStableCall("add", []));
    await place.send(factory, encodeFunctionData({ abi, functionName: "add", args: [address] }));
    await place.mine();
  }
  return [
    { protocol: "savings-vault", source: "Savings", vaults: [savings], fromBlock: 0n } as VenueRecord,
    { protocol: "pancake-stableswap", source: "Lista", factory, fromBlock: 0n } as VenueRecord,
  ];
}

/** A contract that sets its own prices, between DAM and USDH at 98.7 dollars. */
export async function addPropAmm(place: DevnetPlace): Promise<readonly VenueRecord[]> {
  const { tokens, decimals } = place.pair("DAM", "USDH");
  const [dam, usdh] = [tokens[decimals.indexOf(18)]!, tokens[decimals.indexOf(6)]!];
  const { venue } = await deployPropAmmOf(place, [dam, usdh], false, 98_700_000n);
  return [{ protocol: "prop-amm", source: "Prop_Amm", venue, payment: "sent", fromBlock: 0n } as VenueRecord];
}
