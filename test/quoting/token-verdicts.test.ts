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

describeTokenVerdicts("without a node", () => ({ verdicts: ALL_PLAIN, plain: PLAIN }));
