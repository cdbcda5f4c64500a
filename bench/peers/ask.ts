/**
 * Asks our router and others one request of the comparison again, and shows what each does with which pool:
 *
 *   node bench/peers/ask.ts <universe> <sell amount> <sell token> <buy token> <gas price in wei> [router]…
 *
 * Universes as in meeting/universes.ts, routers by a part of their names; without any, the plain references.
 */

import { gasIn } from "../../fixtures/universes/gas-cost.ts";
import { toAddress } from "../../src/domain/address.ts";
import type { ExactInRoute } from "../../src/domain/route.ts";
import { CONTESTANTS } from "./meeting/contestants.ts";
import { answersOf } from "./meeting/ours.ts";
import { startPeer } from "./meeting/peer.ts";
import { type PlannedPath, replay } from "./meeting/replay.ts";
import type { PeerRequest } from "./meeting/requests.ts";
import { universeOf } from "./meeting/universes.ts";
import type { PlanAnswer } from "./routers/serve.ts";

const CAP_MS = 120_000;
const [name = "", amount = "", sell = "", buy = "", gasPrice = "0", ...routers] = process.argv.slice(2);
const universe = universeOf(name);
const request: PeerRequest = {
  ...{ sellToken: toAddress(sell), buyToken: toAddress(buy), sellAmount: BigInt(amount), gasPrice: BigInt(gasPrice) },
  ...{ group: "random", part: Number(amount) / (universe.depth.get(toAddress(sell)) ?? Number.NaN) },
};
const pools = new Map(universe.pools.map((pool) => [pool.id, pool]));

function showRoute({ fills }: ExactInRoute): void {
  for (const { poolId, sellToken, buyToken, sellAmount, buyAmount, gas } of fills)
    console.log(`  ${poolId}: ${sellAmount} of ${sellToken} for ${buyAmount} of ${buyToken}, gas ${gas}`);
}

function showPlan(plan: readonly PlannedPath[]): void {
  for (const { sellAmount, hops } of plan) {
    console.log(`  ${sellAmount} of ${request.sellToken}`);
    for (const { pool, buyToken } of hops) console.log(`    ${pool} to ${buyToken}`);
  }
}

const [ours] = await answersOf(universe, { warmUp: [], requests: [request] });
if (ours?.result.found === true && ours.result.route.kind === "exactIn") {
  const { bound } = ours.result.certificate ?? {};
  console.log(`Tributary: ${ours.value} after gas, at most ${bound ?? "?"} is possible`);
  showRoute(ours.result.route);
} else console.log("Tributary: no route", ours?.result);
for (const { name: by, file, args } of CONTESTANTS) {
  if (!(routers.length === 0 ? file === "greedy.ts" : routers.some((part) => by.includes(part)))) continue;
  const peer = await startPeer<PlanAnswer>(file, args, universe, CAP_MS);
  const asked = await peer.ask(request);
  await peer.stop();
  if (asked.kind !== "answered") console.log(`${by}: ${asked.kind === "failed" ? asked.reason : "not finished"}`);
  else if (asked.answer.plan === undefined) console.log(`${by}: no route`);
  else {
    const played = replay(asked.answer.plan, request, pools, universe.time);
    if (played.ok) {
      const net = played.buyAmount - gasIn(universe, request, played.gas);
      console.log(`${by}: ${net} after gas${played.outside === undefined ? "" : `, outside: ${played.outside}`}`);
    } else console.log(`${by}: ${played.why}`);
    showPlan(asked.answer.plan);
  }
}
