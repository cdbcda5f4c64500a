import { checkNodes } from "../checks/check-nodes.ts";
import type { Finding } from "../checks/checks.ts";
import { EXIT, type ExitCode, type Invocation } from "../command.ts";
import { connectToNodes } from "../connection/node-connection.ts";

const MARKS = { ok: "ok     ", limited: "limited", wrong: "WRONG  " } as const;

export async function doctor(given: Invocation): Promise<ExitCode> {
  const nodes = connectToNodes(given);
  const findings: Finding[] = [];
  try {
    for await (const finding of checkNodes(nodes, given.has("record"))) {
      findings.push(finding);
      if (!given.has("json")) given.print(`${MARKS[finding.outcome]}  ${finding.check}: ${finding.says}`);
    }
  } finally {
    for (const { provider } of nodes) provider.close();
  }
  if (given.has("json")) given.print(JSON.stringify(findings, null, 2));
  return findings.some(({ outcome }) => outcome === "wrong") ? EXIT.checkFailed : EXIT.ok;
}
