import type { Address } from "../../../../src/domain/address.ts";
import type { VenueRecord } from "../../../../src/market/venue-record.ts";
import { ellipseParameters, rootOfPrice } from "../../../pools/gyro/arbitrary-gyro.ts";
import { deployBalancer, deployRateProvider, fill } from "../../../venues/worlds/balancer.ts";
import { deployGyro, type GyroTerms } from "../../../venues/worlds/gyro.ts";
import type { DevnetPair, DevnetPlace } from "./place.ts";

const ONE = 10n ** 18n;
const USD_HELD = 200_000;
/** Value of the rated pool's DSD, as its rate provider has it; 18 decimals. */
const RATE = 1_000_400_000_000_000_000n;
const [ALPHA, BETA] = [(9n * ONE) / 10n, (11n * ONE) / 10n];

/** Pools of Gyroscope's three kinds in a vault of their own, between the devnet's dollars. */
export async function addGyro(place: DevnetPlace): Promise<readonly VenueRecord[]> {
  const world = await deployBalancer(place);
  const { factories, make } = await deployGyro(place, world);
  const provider = await deployRateProvider(place, RATE);
  const held = new Map([...heldOf(place.pair("USDH", "DSD")), ...heldOf(place.pair("USDR", "DSD"))]);
  const [one, rated] = [place.pair("USDH", "DSD").tokens, place.pair("USDR", "DSD").tokens];
  const dsd = rated.find((token) => one.includes(token));
  const all = [...held.keys()].sort();
  const terms: readonly Omit<GyroTerms, "fee">[] = [
    { kind: "2clp", tokens: one, parameters: [ALPHA, BETA].map(rootOfPrice), rateProviders: [undefined, undefined] },
    { kind: "3clp", tokens: all, parameters: [(99n * ONE) / 100n], rateProviders: all.map(() => undefined) },
    {
      ...{ kind: "eclp", tokens: rated },
      parameters: ellipseParameters({ alpha: ALPHA, beta: BETA, peg: ONE, lambda: 50n * ONE }),
      rateProviders: rated.map((token) => (token === dsd ? provider : undefined)),
    },
  ];
  for (const each of terms) {
    const pool = await make({ ...each, fee: 3n * 10n ** 14n });
    await fill(
      place,
      world,
      pool,
      pool.tokens.map((token) => held.get(token) as bigint),
    );
  }
  return [
    { protocol: "balancer-v2", source: "Gyroscope", vault: world.vault, factories, fromBlock: 0n } as VenueRecord,
  ];
}

/** Base units of both tokens that are worth what a pool holds of each. */
function heldOf({ tokens, price, dollar }: DevnetPair): readonly (readonly [Address, bigint])[] {
  return [dollar / price, dollar].map((units, i) => [tokens[i] as Address, BigInt(Math.floor(USD_HELD * units))]);
}
