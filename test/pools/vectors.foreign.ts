import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { familiesOfVectors, vectorsOf } from "../support/suites/vectors.ts";

interface Family {
  /** The test that runs it, and names by itself what it leaves out of a record. */
  readonly test: string;
  /** Kinds of pools in it that no test runs, and why. */
  readonly leftOut: Readonly<Record<string, string>>;
}

/** Families of another team's vectors whose curve is served. The shared folder may hold others: those wait for their venue. */
const FAMILIES: Readonly<Record<string, Family>> = {
  "curve-stableswap": {
    test: "stableswap/vectors.foreign.ts",
    leftOut: {
      "kyber:curve/compound": "pools of lending tokens by the coins below these, and exact outputs only",
      "kyber:saddle": "a fork with a contract of its own, which no record of a venue can name",
    },
  },
  "curve-stableswap-ng": { test: "stableswap/vectors.foreign.ts", leftOut: {} },
  "curve-meta": { test: "stableswap/metapool-vectors.foreign.ts", leftOut: {} },
  "curve-tricrypto-ng": { test: "cryptoswap/vectors.foreign.ts", leftOut: {} },
  "curve-twocrypto-ng": { test: "cryptoswap/vectors.foreign.ts", leftOut: {} },
  gyroscope: { test: "gyro/vectors.foreign.ts", leftOut: {} },
  "liquidity-book": { test: "bins/vectors.foreign.ts", leftOut: {} },
  orderbook: { test: "levels/vectors.foreign.ts", leftOut: {} },
  solidly: { test: "solidly/vectors.foreign.ts", leftOut: {} },
  "wrappers-lst": { test: "wrappers/vectors.foreign.ts", leftOut: {} },
};

const families = familiesOfVectors();

test("a test runs every family of vectors that a venue of ours has, but for named kinds", () => {
  for (const [family, { test: file, leftOut }] of Object.entries(FAMILIES)) {
    expect(families).toContain(family);
    const text = readFileSync(fileURLToPath(new URL(file, import.meta.url)), "utf8");
    expect(text, family).toContain(`vectorsOf("${family}")`);
    const kinds = new Set(vectorsOf(family).map(({ dex }) => dex));
    for (const [kind, why] of Object.entries(leftOut)) {
      expect(kinds.has(kind) && why !== "", kind).toBe(true);
      expect(text, kind).not.toContain(`"${kind}"`);
    }
  }
});
