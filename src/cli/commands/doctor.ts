import { checkNodes } from "../check-nodes.ts";
import type { Finding } from "../checks.ts";
import { type Command, EXIT } from "../command.ts";
import { CONFIGURATION_OPTIONS } from "../configuration.ts";
import { connectToNodes } from "../node-connection.ts";

const MARKS = { ok: "ok     ", limited: "limited", wrong: "WRONG  " } as const;

export const doctor: Command = {
  name: "doctor",
  about: "Asks each node for everything that the service needs of it, and holds the chain's record against the chain.",
  takes: "",
  options: { ...CONFIGURATION_OPTIONS, json: { about: "print the findings as JSON" } },
  example: "doctor --config mainnet.env",
  async run(given) {
    const nodes = connectToNodes(given);
    const findings: Finding[] = [];
    try {
      for await (const finding of checkNodes(nodes)) {
        findings.push(finding);
        if (!given.has("json")) given.print(`${MARKS[finding.outcome]}  ${finding.check}: ${finding.says}`);
      }
    } finally {
      for (const { provider } of nodes) provider.close();
    }
    if (given.has("json")) given.print(JSON.stringify(findings, null, 2));
    return findings.some(({ outcome }) => outcome === "wrong") ? EXIT.checkFailed : EXIT.ok;
  },
};
