/**
 * Figures of a fleet on this machine: throughput and CPU per request, requests to the node per block, failovers, and
 * limits over four processes. Needs a Redis (TEST_REDIS_URL, by default 127.0.0.1:6379) and cores of its own for
 * figures that hold.
 *
 *   node bench/fleet/bench.ts                       everything, with 50 kills
 *   KILLS=3 SECONDS=5 BLOCKS=5 node bench/fleet/bench.ts   a short look
 *   ONLY=load,node,failover,limits,feed             some of it
 *   ONLY=load WARM=0 DEEP_SEARCHES=8               processes as they have just started, with searches beside requests
 */
import { hasRedis, REDIS_URL } from "../../fixtures/fleet/redis.ts";
import { measureFailovers } from "./failovers.ts";
import { measureFeed } from "./feed.ts";
import { measureLimits } from "./limits.ts";
import { measureLoad } from "./load.ts";
import { measureNode } from "./node.ts";
import { openPlace } from "./place.ts";

const { KILLS = "50", SECONDS = "20", BLOCKS = "30", ONLY = "limits,feed,load,node,failover" } = process.env;
const only = new Set(ONLY.split(","));

if (!(await hasRedis())) {
  console.error(`no Redis answers at ${REDIS_URL}: set TEST_REDIS_URL to one`);
  process.exit(2);
}
if (only.has("limits")) await measureLimits(Number(SECONDS));
if (only.has("feed")) await measureFeed();
if (["load", "node", "failover"].some((part) => only.has(part))) {
  const place = await openPlace();
  try {
    if (only.has("load")) for (const replicas of [1, 2, 3]) await measureLoad(place, replicas, Number(SECONDS));
    if (only.has("node")) for (const replicas of [1, 3]) await measureNode(place, replicas, Number(BLOCKS));
    if (only.has("failover")) await measureFailovers(place, Number(KILLS));
  } finally {
    await place.close();
  }
}
