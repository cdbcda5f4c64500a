import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runsCancun, WITHOUT_CANCUN } from "../../chain/simulation/evm-check.ts";
import { allContracts, settlementContracts } from "../../settlement/contracts.ts";
import { withoutCreate2Deployer } from "../../settlement/create2-deployer.ts";
import { deploymentState, hasCreate2Deployer } from "../../settlement/deployment.ts";
import { EXIT, type ExitCode, type Invocation, UsageError } from "../command.ts";
import { connectToNode } from "../connection/node-connection.ts";
import { withProgress } from "../connection/progress.ts";
import { columns } from "../view/table.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const COMPILER = "tools/contracts/compile-contracts.ts";

export async function verify(given: Invocation): Promise<ExitCode> {
  if (given.has("from-source") && !existsSync(join(root, COMPILER))) {
    throw new UsageError("--from-source needs the contracts' sources: run it in a clone of the repository");
  }
  const { record, provider, codeAt } = await connectToNode(given);
  try {
    if (given.has("from-source")) await withProgress("compiling contracts/src", given.note, compareSources());
    const contracts = allContracts(settlementContracts(record.wrappedNative));
    const findings = await Promise.all(
      contracts.map(async (contract) => {
        const { name, address, runtimeCode } = contract;
        const state = await deploymentState({ codeAt }, contract);
        return { contract: name, address, bytes: (runtimeCode.length - 2) / 2, state };
      }),
    );
    if (!(await runsCancun(provider))) given.note(WITHOUT_CANCUN);
    const absent = findings.some(({ state }) => state === "absent");
    if (absent && !(await hasCreate2Deployer({ codeAt }))) given.note(withoutCreate2Deployer(record.native.symbol));
    const rows = findings.map(({ contract, address, bytes, state }) => [contract, address, `${bytes} bytes`, state]);
    given.print(given.has("json") ? JSON.stringify(findings, null, 2) : columns(rows, [2]).join("\n"));
    return findings.every(({ state }) => state === "ours") ? EXIT.ok : EXIT.checkFailed;
  } finally {
    provider.close();
  }
}

/** @throws Error with the compiler's words when contracts/out is not what contracts/src compiles to */
function compareSources(): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [COMPILER, "--check", "src"], { cwd: root }, (error, stdout, stderr) => {
      if (error === null) resolve();
      else reject(new Error(`contracts/out is not what contracts/src compiles to:\n${stdout}${stderr}`.trim()));
    });
  });
}
