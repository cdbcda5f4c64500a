import { expect, test } from "vitest";
import { FleetVerdicts } from "../../src/chain/fleet/fleet-verdicts.ts";
import { createBlockMemory } from "../../src/chain/rpc/block-memory.ts";
import { createTokenTests } from "../../src/chain/tokens/token-verdicts.ts";
import type { Address } from "../../src/domain/address.ts";
import type { TokenVerdict } from "../../src/domain/token-verdict.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { ALL_PLAIN } from "../../src/quoting/quote/tested-tokens.ts";
import { tokenAt } from "../market/pairs.ts";
import { describeTokenVerdicts } from "./token-verdicts.suite.ts";

const PLAIN = [tokenAt(1), tokenAt(2)] as const;
const [INEXACT, BROKEN] = [tokenAt(3), tokenAt(4)] as const;
const BLOCK = { number: 100n, hash: "0x64", parentHash: "0x63", timestamp: 1_000n } as const;

async function trial(token: Address): Promise<TokenVerdict> {
  if (token === BROKEN) throw new Error("the node does not answer");
  return token === INEXACT ? { kind: "fee", ppm: 10_000n } : { kind: "plain" };
}

describeTokenVerdicts("of the chain", () => ({
  ...{ plain: PLAIN, inexact: INEXACT, broken: BROKEN },
  verdicts: createTokenTests({
    ...{ trial, confirm: trial, head: () => BLOCK, now: () => 0, trusted: new Set() },
    memory: createBlockMemory(),
    logger: createLogger("silent"),
  }),
}));

describeTokenVerdicts("of a fleet, found by the process that is asked", () => ({
  ...{ plain: PLAIN, inexact: INEXACT, broken: BROKEN },
  verdicts: new FleetVerdicts({
    tests: createTokenTests({
      ...{ trial, confirm: trial, head: () => BLOCK, now: () => 0, trusted: new Set() },
      memory: createBlockMemory(),
      logger: createLogger("silent"),
    }),
    ...{ told: () => new Map(), isLeading: () => false, questions: { test: () => {} } },
  }),
}));

test("what a fleet's leader tells of tokens and what the process found itself hold together, until the feed says it", async () => {
  const tests = createTokenTests({
    ...{ trial, confirm: trial, head: () => BLOCK, now: () => 0, trusted: new Set() },
    memory: createBlockMemory(),
    logger: createLogger("silent"),
  });
  const told: ReadonlyMap<Address, string> = new Map([[PLAIN[0], "is told to take a fee"]]);
  const asked: Address[][] = [];
  let isLeading = false;
  const verdicts = new FleetVerdicts({
    ...{ tests, told: () => (isLeading ? undefined : told), isLeading: () => isLeading },
    questions: { test: (tokens) => void asked.push([...tokens]) },
  });
  expect(verdicts.keptOut()).toBe(told);
  await verdicts.test([INEXACT, PLAIN[0]]);
  expect([...verdicts.keptOut().keys()].sort()).toEqual([PLAIN[0], INEXACT].sort());
  expect(asked).toEqual([[INEXACT]]);
  verdicts.told({ block: { ...BLOCK, number: BLOCK.number + 25n } });
  expect(verdicts.keptOut()).toBe(told);
  // A new leader tests inherited tokens: this one is plain.
  verdicts.look({ block: BLOCK });
  isLeading = true;
  await expect.poll(() => [...verdicts.keptOut()]).toEqual([]);
});

describeTokenVerdicts("without a node", () => ({ verdicts: ALL_PLAIN, plain: PLAIN }));
