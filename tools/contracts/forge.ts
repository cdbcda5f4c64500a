/**
 * Runs forge over the suites of the settlement contracts (contracts/foundry), with the arguments of forge.
 *
 *   node tools/contracts/forge.ts test                          all suites, a thousand runs each
 *   node tools/contracts/forge.ts test --match-test aLiar -vvv  one test, with its traces where it fails
 *   FOUNDRY_PROFILE=long node tools/contracts/forge.ts test     ten million runs
 */
import { forgeBinary, runForge } from "./foundry/run-forge.ts";

const binary = forgeBinary();
if (binary === undefined) {
  console.error(`There is no forge for ${process.platform} ${process.arch}. Run this on Linux with an x64 processor.`);
  process.exit(2);
}
process.exitCode = runForge(binary, process.argv.slice(2));
