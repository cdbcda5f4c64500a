import type { ChainRecord } from "../../../../src/chain/chains/chain-record.ts";
import type { TestDevnet } from "../devnet.ts";
import { addAqua } from "./aqua.ts";
import { addConcentrated } from "./concentrated.ts";
import { addPropAmm, addSavings } from "./dollars.ts";
import { addGyro } from "./gyro.ts";
import { addDodo, addEuler, addMaverick, addWoofi } from "./paid-pools.ts";
import { placeOn } from "./place.ts";
import { addEkubo, addFluid, addInfinityBins, addKuru } from "./singletons.ts";

/** The devnet's record with pools of the venues that it has none of, which are put on it, between its own tokens. */
export async function withEveryVenue(record: ChainRecord, devnet: TestDevnet): Promise<ChainRecord> {
  const place = placeOn(devnet);
  const venues = [...record.venues];
  for (const add of [
    ...[addConcentrated, addEkubo, addInfinityBins, addFluid, addSavings, addPropAmm, addWoofi, addDodo],
    ...[addAqua, addEuler, addMaverick, addGyro, addKuru],
  ])
    venues.push(...(await add(place)));
  // Its own account may change the terms of private pools.
  return { ...record, venues, allowedControllers: [...(record.allowedControllers ?? []), place.account] };
}
