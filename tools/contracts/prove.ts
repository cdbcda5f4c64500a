/**
 * Proves what contracts/proofs says of the gateway's arithmetic, by solc's model checker (bounded model checking, which is
 * complete for code without loops) with z3 as its solver. The expressions are taken from Gateway.sol itself. Needs a z3 on
 * the machine (Debian's package z3). Ends with 1 where a claim is not proved, or where the wrong one is.
 *
 *   node tools/contracts/prove.ts
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { readSources, type Source } from "./instrument/syntax-tree.ts";
import { takenFrom, type Wanted } from "./instrument/taken-code.ts";

interface Answer {
  readonly errors?: readonly {
    readonly severity: string;
    readonly errorCode: string;
    readonly formattedMessage: string;
    readonly sourceLocation?: { readonly start: number };
  }[];
}

const SECONDS = 60;
const CLAIMS = "contracts/proofs/GatewayProof.sol";
/** Message of the model checker for a proved assertion. */
const PROVED = "2961";

const WANTED: readonly Wanted[] = [
  { name: "splitFee", from: "_split", variable: "fee" },
  { name: "payOutFee", from: "_payOut", variable: "fee" },
  { name: "payOutShare", from: "_payOut", variable: "share" },
  { name: "saleOfPart", from: "_saleOf", variable: "part" },
  { name: "saleOfMost", from: "_saleOf", variable: "most" },
  { name: "settleFee", from: "_settle", variable: "fee" },
  { name: "scaled", from: "_scaled" },
  { name: "gain", from: "_gain" },
];

const solc = createRequire(import.meta.url)("solc") as {
  compile(input: string, callbacks: Readonly<Record<string, unknown>>): string;
};

const gateway = readSources().find(({ path }) => path.endsWith("/Gateway.sol")) as Source;
const claims = readFileSync(fileURLToPath(new URL(`../../${CLAIMS}`, import.meta.url)), "utf8");
const taken = takenFrom(gateway, WANTED);
if (process.argv.includes("--taken")) console.log(taken);

function compile(settings: Readonly<Record<string, unknown>>): NonNullable<Answer["errors"]> {
  const input = {
    language: "Solidity",
    sources: { [CLAIMS]: { content: claims }, "contracts/proofs/Taken.sol": { content: taken } },
    settings: { ...settings, outputSelection: { "*": { "": ["ast"] } } },
  };
  const { errors = [] } = JSON.parse(solc.compile(JSON.stringify(input), { smtSolver })) as Answer;
  const fault = errors.find(({ severity }) => severity === "error");
  if (fault !== undefined) throw new Error(fault.formattedMessage);
  return errors;
}

function smtSolver(query: string) {
  return { contents: spawnSync("z3", ["-in", `-T:${SECONDS}`], { input: query, encoding: "utf8" }).stdout };
}

// Claims and code have to fit each other, whether there is a solver or not.
compile({});
if (spawnSync("z3", ["--version"]).error !== undefined) {
  console.error("There is no z3 on this machine. Install Debian's package z3.");
  process.exit(2);
}
const modelChecker = {
  ...{ engine: "bmc", targets: ["assert"], solvers: ["smtlib2"], showProvedSafe: true, showUnproved: true },
  contracts: { [CLAIMS]: ["GatewayProof"] },
};
const errors = compile({ modelChecker });
const found = errors.filter(({ errorCode }) => errorCode === PROVED);
const proved = new Set(found.map(({ sourceLocation }) => sourceLocation?.start));
for (const { index, 0: text } of claims.matchAll(/assert\(.*\);/g)) {
  const claim = claims.slice(0, index).match(/function (\w+)\([^)]*\)[^{}]*\{[^}]*$/)?.[1];
  const isAsExpected = proved.has(index) === (claim !== "wrong");
  console.log(`${proved.has(index) ? "proved" : "not proved"}  ${claim}: ${text.slice(7, -2)}`);
  if (!isAsExpected) process.exitCode = 1;
}
