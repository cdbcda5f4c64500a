/**
 * Writes the tables and examples that the documentation takes from the code, between `<!-- table: name -->` and
 * `<!-- /table -->`; with `--check` it compares them instead.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { apiDocument as api, operationsAt } from "../src/api/docs/document.ts";
import { ERROR_REFERENCE, type ErrorEntry, VIOLATION_REFERENCE } from "../src/api/errors/error-reference.ts";
import { costOf } from "../src/api/limits/call-costs.ts";
import { type Command, EXIT } from "../src/cli/command.ts";
import { commands } from "../src/cli/commands/index.ts";
import { EXIT_MEANINGS, usageOf } from "../src/cli/help.ts";
import { listOptions } from "../src/ops/config.ts";
import { auditScope } from "./docs/audit-scope.ts";
import { COMPLAINTS } from "./docs/complaints.ts";
import { coverageTable, reachTable, recordTable } from "./docs/coverage-rows.ts";
import { frontFacts, readmeBlock } from "./docs/front-page.ts";
import { limitTable } from "./docs/limit-rows.ts";
import { makerExample } from "./docs/maker-example.ts";
import { exampleAnswers, exampleRows } from "./docs/routing-example.ts";
import { sourceRows, sourceTable } from "./docs/source-rows.ts";
import { complaintsAbout, readTriedCases } from "./docs/tried-cases.ts";
import { runTimePackages } from "./packages/run-time-packages.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Gas of single calls, as forge's suites measure it. */
const GAS = join(root, "contracts", "foundry", "snapshots", "Gas.json");

/** A text in a cell of a table. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

const maker = await makerExample();

/** Generated text between the marks of each name. */
const TABLES: Readonly<Record<string, () => string>> = {
  sources: () => {
    const [head = [], ...rows] = sourceTable();
    return table(
      head,
      rows.map((row) => row.map(cell)),
    );
  },
  "gas-of-calls": () => {
    const gas = JSON.parse(readFileSync(GAS, "utf8")) as Readonly<Record<string, string>>;
    return table(
      ["call", "gas"],
      Object.entries(gas).map(([call, used]) => [call, Number(used).toLocaleString("en-US")]),
    );
  },
  "audit-scope": () => {
    const [head = [], ...rows] = auditScope();
    return table(head, rows);
  },
  options: () =>
    table(
      ["variable", "default", "meaning"],
      listOptions().map(({ name, defaultValue, description }) => [
        `\`${name}\``,
        defaultValue === "" ? "" : `\`${defaultValue}\``,
        description,
      ]),
    ),
  limits: () => {
    const [head = [], ...rows] = limitTable();
    return table(head, rows);
  },
  calls: () =>
    table(
      ["call", "REST", "gRPC and Connect", "units"],
      Object.entries(api.paths)
        .filter(([path]) => path.startsWith("/swap/"))
        .map(([path, item]) => {
          const [first] = operationsAt(item);
          const method = (first?.operation.operationId ?? "").replace(/^./, (letter) => letter.toUpperCase());
          const ways = operationsAt(item).map(({ verb }) => `\`${verb} ${path}\``);
          return [method, ways.join(", "), `\`/swap.v1.SwapService/${method}\``, String(costOf(method))];
        }),
    ),
  parameters: () =>
    table(
      ["parameter", "", "meaning"],
      (api.paths["/swap/v1/price"]?.get?.parameters ?? []).map(({ name, required, description }) => [
        `\`${name}\``,
        required ? "required" : "",
        cell(description),
      ]),
    ),
  "answer-fields": () => {
    const { properties = {} } = api.components.schemas.GetQuoteResponse!;
    const shared = api.components.schemas.GetPriceResponse!.properties ?? {};
    return table(
      ["field", "", "meaning"],
      Object.entries({ ...properties, ...shared }).map(([name, { description = "" }]) => [
        `\`${name}\``,
        !(name in properties) ? "price only" : name in shared ? "" : "quote only",
        cell(description),
      ]),
    );
  },
  errors: () =>
    table(
      ["refusal", "HTTP", "code", "gRPC", "when"],
      ERROR_REFERENCE.map(({ kind, ...it }) => [
        `[${kind}](errors.md#${kind.toLowerCase()})`,
        ...[String(it.httpStatus), String(it.code), it.rpcCodes, cell(it.when)],
      ]),
    ),
  refusals: () => ERROR_REFERENCE.map(refusalSection).join("\n\n"),
  "violation-reasons": () =>
    table(
      ["reason", "code", "when"],
      VIOLATION_REFERENCE.map(({ reason, code, when }) => [`\`${reason}\``, String(code), when]),
    ),
  "exit-codes": () =>
    table(
      ["code", "meaning"],
      Object.entries(EXIT).map(([name, code]) => [String(code), EXIT_MEANINGS[name as keyof typeof EXIT]]),
    ),
  "coverage-reach": () => {
    const [head = [], ...rows] = reachTable();
    return table(head, rows);
  },
  coverage: () => {
    const [head = [], ...rows] = coverageTable();
    return table(head, rows);
  },
  "coverage-records": () => {
    const [head = [], ...rows] = recordTable();
    return table(head, rows);
  },
  "routing-example": () => {
    const [head = [], ...rows] = exampleRows();
    return table(head, rows);
  },
  "routing-example-answers": () => {
    const [head = [], ...rows] = exampleAnswers();
    return table(head, rows);
  },
  "front-facts": () => {
    const [head = [], ...rows] = frontFacts();
    return table(head, rows);
  },
  "first-call": () => readmeBlock("run: curl"),
  "first-answer": () => readmeBlock("answer: curl, in part"),
  "maker-question": () => maker.question,
  "maker-answer": () => maker.answer,
  licences: () =>
    table(
      ["package", "version", "licence", ""],
      runTimePackages().map(({ name, version, licence, isOptional }) => [
        ...[`\`${name}\``, version, licence],
        isOptional ? "optional" : "",
      ]),
    ),
  commands: () => commands.map(sectionOf).join("\n\n"),
  complaints: () =>
    table(
      ["complaint", "here", "held by"],
      COMPLAINTS.map(({ complaint, here, file, test }) => [complaint, cell(here), `\`${file}\`: ${test}`]),
    ),
};

/** Section about a refusal, under the heading that `docs` of its body leads to. */
function refusalSection({ kind, ...it }: ErrorEntry): string {
  const reasons = it.reasons.map(({ reason, when }) => `- \`${reason}\`: ${when}`);
  return [
    `### ${kind}\n\nHTTP ${it.httpStatus}, code ${it.code}, gRPC ${it.rpcCodes}.`,
    ...[it.when, it.advice],
    ...(reasons.length > 0 ? ["Its `reason` may say more:", reasons.join("\n")] : []),
  ].join("\n\n");
}

/** Help of a command, as a section. */
function sectionOf(command: Command): string {
  const options = Object.entries(command.options).map(([name, { value, about }]) => [
    `\`--${name}${value === undefined ? "" : ` <${value}>`}\``,
    cell(about),
  ]);
  return [
    `### tributary ${command.name}\n\n${command.about}`,
    `\`\`\`sh\n${usageOf(command)}\n\`\`\``,
    ...(options.length > 0 ? [table(["option", "meaning"], options)] : []),
    `For example:\n\n\`\`\`sh\ntributary ${command.example}\n\`\`\``,
  ].join("\n\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

const check = process.argv.includes("--check");
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((file) => join("docs", file)),
].filter((page) => page.endsWith(".md"));

const used = new Set<string>();
const stale: string[] = [];
for (const page of pages) {
  const text = readFileSync(join(root, page), "utf8");
  const fresh = text.replace(
    /(<!-- table: ([a-z-]+) -->\n)(?:[\s\S]*?\n)??(<!-- \/table -->)/g,
    (_, open, name: string, close) => {
      const make = TABLES[name];
      if (make === undefined) throw new Error(`${page}: no table is called ${name}`);
      used.add(name);
      return `${open}${make()}\n${close}`;
    },
  );
  if (fresh === text) continue;
  if (check) stale.push(page);
  else writeFileSync(join(root, page), fresh);
}

for (const name of Object.keys(TABLES)) if (!used.has(name)) stale.push(`no page shows the table ${name}`);
for (const line of stale) console.error(`out of date: ${line}`);
if (stale.length > 0) console.error("run npm run docs");
const rows = sourceRows();
const ids = rows.map(({ id }) => id);
const untried = check ? complaintsAbout(readTriedCases(), ids) : [];
for (const line of untried) {
  const { tests = [] } = rows.find(({ id }) => line.startsWith(`${id}: `)) ?? {};
  console.error([line, ...(tests.length > 0 ? [`npm run test:long -- ${tests.join(" ")}`] : [])].join("; run "));
}
const isWell = stale.length === 0 && untried.length === 0;
if (isWell) console.log(`${pages.length} pages up to date`);
process.exitCode = isWell ? 0 : 1;
