import { concat, encodeFunctionData, type Hex } from "viem";
import type { VenueRecord } from "../../../../src/market/venue-record.ts";
import { squareRoot } from "../../../../src/math/square-root.ts";
import { strategyOf } from "../../../../src/venues/aqua/order.ts";
import { compiled } from "../../../venues/worlds/compiled.ts";
import { instruction, USES_AQUA } from "../../../venues/worlds/singletons/aqua.ts";
import type { DevnetPair, DevnetPlace } from "./place.ts";

const ONE = 10n ** 18n;
const DOLLARS = 200_000;

/** A strategy of Aqua's of each kind, in balance at the devnet's prices, paid out of the whale's wallet. */
export async function addAqua(place: DevnetPlace): Promise<readonly VenueRecord[]> {
  const { abi, bytecode } = compiled("DevnetAqua");
  const aqua = await place.deploy(abi, bytecode);
  const router = await place.deploy(compiled("DevnetAquaRouter").abi, compiled("DevnetAquaRouter").bytecode, [aqua]);
  const [lock, dam, dollars] = [place.pair("LOCK", "USDH"), place.pair("DAM", "WETH"), place.pair("USDH", "DSD")];
  const fees = [instruction.protocolFee(100_000n, aqua), instruction.flatFee(500_000n)];
  for (const [pair, parts] of [
    [lock, [...fees, instruction.product()]],
    [dam, [...fees, rangeAround(dam), instruction.product()]],
    [dollars, [fees[1]!, peggedBy(dollars)]],
  ] as const) {
    await place.approve(pair.tokens, [aqua]);
    const strategy = strategyOf({ maker: place.account, traits: USES_AQUA, data: concat(parts) });
    const args = [router, strategy, pair.tokens, balancesOf(pair)];
    await place.send(aqua, encodeFunctionData({ abi, functionName: "ship", args }));
  }
  await place.mine();
  return [{ protocol: "aqua", source: "Aqua", aqua, router, fromBlock: 0n } as VenueRecord];
}

function balancesOf(pair: DevnetPair): readonly [bigint, bigint] {
  const second = DOLLARS * pair.dollar;
  return [BigInt(Math.floor(second / pair.price)), BigInt(Math.floor(second))];
}

/** A range of a half more and a third less around the price. */
function rangeAround(pair: DevnetPair): Hex {
  const [first, second] = balancesOf(pair);
  const root = squareRoot((second * ONE * ONE) / first);
  return instruction.range((root * 4n) / 5n, (root * 5n) / 4n);
}

function peggedBy(pair: DevnetPair): Hex {
  const rates = pair.decimals.map((digits) => 10n ** BigInt(18 - digits)) as [bigint, bigint];
  const [first, second] = balancesOf(pair);
  return instruction.pegged(first * rates[0], second * rates[1], 100n * 10n ** 27n, ...rates);
}
