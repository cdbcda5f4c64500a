import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take 20 s or more of a quiet machine, the longest first. vitest goes by the size of files where it has seen no
 * run before, as in CI: a short file that drives a browser would begin last, and run alone on one core.
 */
const LONGEST = [
  "test/settlement/foundry.e2e.ts",
  "test/promise/random-quotes.test.ts",
  "test/chain/providers/matrix.test.ts",
  "test/cli/page.e2e.ts",
  "test/quoting/threads/route-searches.test.ts",
  "test/client/swap-client.test.ts",
  "test/chain/tokens/unknown-tokens.test.ts",
  "test/chain/state/node-state.test.ts",
  "test/promise/cold-gas.test.ts",
  "test/cli/audit/settled.test.ts",
  "test/repository/console/console.e2e.ts",
  "test/cli/main.e2e.ts",
  "test/repository/console/wallet.e2e.ts",
  "test/repository/examples/examples.e2e.ts",
  "test/chain/blocks/chaos.e2e.ts",
  "test/repository/packages/packages.e2e.ts",
  "test/repository/examples/quickstart.e2e.ts",
  "test/repository/docs/source-from-page.e2e.ts",
  "test/compose/fleet.e2e.ts",
  "test/chain/state/kill-service.e2e.ts",
];

/** Order in which files are run: the longest first, all others as vitest has them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = LONGEST.find((path) => !existsSync(resolve(this.ctx.config.root, path)));
    if (gone !== undefined) throw new Error(`${gone} is gone: take it from the longest files`);
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
