import type { Address } from "../../domain/address.ts";
import { isDeployed } from "../../settlement/deployment.ts";
import { createSources } from "../../venues/index.ts";
import type { NodeConnection } from "../connection/node-connection.ts";
import { type Check, ok } from "./checks.ts";

/** What the chain's record says of the chain, held against what one of its nodes says. */
export function chainChecks(node: NodeConnection): readonly Check[] {
  const { record, codeAt } = node;
  const stands = async (address: Address, absent: "limited" | "wrong", then: string) =>
    (await codeAt(address)) === "0x" ? { outcome: absent, says: `no contract at ${address}: ${then}` } : ok(address);
  return [
    ["wrapped native token", () => stands(record.wrappedNative, "wrong", "the record names another chain's")],
    ["multicall", () => stands(record.multicall3, "limited", "pools are read one by one")],
    ...createSources(record).map(
      (source): Check => [
        source.id,
        async () => {
          const contracts = [
            ...(source.creation?.addresses ?? []),
            ...(source.fixed?.() ?? []).map(({ address }) => address),
          ];
          for (const contract of contracts) {
            const finding = await stands(contract, "wrong", "the source stays off; correct the record");
            if (finding.outcome !== "ok") return finding;
          }
          return ok(contracts.join(", "));
        },
      ],
    ),
    [
      "settlement",
      async () =>
        (await isDeployed(node, record.wrappedNative))
          ? ok("deployed")
          : {
              outcome: "limited",
              says: "not deployed: prices work, quotes say SETTLEMENT_NOT_DEPLOYED; see tributary deploy",
            },
    ],
  ];
}
