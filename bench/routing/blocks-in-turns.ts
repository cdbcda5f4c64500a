/**
 * What a block in which one pool in a hundred trades adds to the next answer, of two checkouts' routers, asked in turns in
 * one process.
 *
 *   node bench/routing/blocks-in-turns.ts OTHER flat|raw|20k|100k
 *
 * OTHER is the folder of the other checkout; what is said of it comes first.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createRouter } from "../../src/routing/create-router.ts";
import { quantile } from "../quantile.ts";
import { blocksOf, costsInTurns } from "./blocks.ts";
import { settingOf } from "./sets.ts";
import { type Trade, tradesIn } from "./trades.ts";

const [other = "", name = ""] = process.argv.slice(2);
const setting = settingOf(name);
if (other === "" || setting === undefined) {
  console.error("say the other checkout's folder and its pools: flat, raw, 20k or 100k");
  process.exit(2);
}
const module = pathToFileURL(resolve(other, "src/routing/create-router.ts")).href;
const theirs = (await import(module)) as { readonly createRouter: typeof createRouter };
const [, random] = tradesIn(setting, 2, "exactIn");
const costs = costsInTurns([theirs.createRouter(), createRouter()], blocksOf(setting.pools), random as Trade);
const shown = costs.map((ms) => [0.1, 0.5, 0.9].map((part) => quantile(ms, part).toFixed(1)).join(" / "));
console.log(`${name}: a block costs, ms p10 / p50 / p90: ${shown.join(" → ")}`);
