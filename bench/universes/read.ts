import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** Reads one of the gzipped JSON files beside this one; the README there says what they hold. */
export function readUniverse<T>(name: "v2-ftm" | "uniswap-v4-mainnet-tickmaps"): T {
  return JSON.parse(gunzipSync(readFileSync(new URL(`${name}.json.gz`, import.meta.url))).toString("utf8")) as T;
}
