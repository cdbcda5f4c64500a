import { parseBytes } from "../../chain/rpc/codec.ts";
import { decodeAggregate3, encodeAggregate3 } from "../../chain/rpc/multicall.ts";
import { TransportError } from "../../chain/rpc/provider-errors.ts";
import { runsCancun, WITHOUT_CANCUN } from "../../chain/simulation/evm-check.ts";
import type { Address } from "../../domain/address.ts";
import { withoutCreate2Deployer } from "../../settlement/create2-deployer.ts";
import { hasCreate2Deployer, isDeployed } from "../../settlement/deployment.ts";
import { createSources } from "../../venues/index.ts";
import type { NodeConnection } from "../connection/node-connection.ts";
import { type Check, type Found, ok, wrong } from "./checks.ts";
import { tradeChecks } from "./trade-checks.ts";

const BY_CODE = "pools are read by code sent along with each request, which takes a few more requests";

/** Whether what stands at Multicall3's address answers as Multicall3 does. */
async function checkMulticall({ provider, record }: NodeConnection, stands: () => Promise<Found>): Promise<Found> {
  const found = await stands();
  if (found.outcome !== "ok") return found;
  const call = { to: record.multicall3, data: encodeAggregate3([{ to: record.multicall3, data: "0x42cbb15c" }]) };
  try {
    const answer = parseBytes(await provider.request("eth_call", [call, "latest"]), "eth_call");
    if (decodeAggregate3(answer, 1)[0]?.success === true) return found;
  } catch (error) {
    if (error instanceof TransportError) throw error;
  }
  return {
    outcome: "limited",
    says: `the contract at ${record.multicall3} is not Multicall3: correct the record; until then, ${BY_CODE}`,
  };
}

/** Checks of the chain's record against one node's answers. */
export function chainChecks(node: NodeConnection): readonly Check[] {
  const { record, codeAt } = node;
  const stands = async (address: Address, absent: "limited" | "wrong", then: string) =>
    (await codeAt(address)) === "0x" ? { outcome: absent, says: `no contract at ${address}: ${then}` } : ok(address);
  return [
    [
      "wrapped native token",
      () => stands(record.wrappedNative, "wrong", "correct the record: the address may be another chain's"),
    ],
    ["multicall", () => checkMulticall(node, () => stands(record.multicall3, "limited", BY_CODE))],
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
      "EVM",
      async () => ((await runsCancun(node.provider)) ? ok("runs the settlement contracts") : wrong(WITHOUT_CANCUN)),
    ],
    ["settlement", () => settlementCheck(node)],
    ...tradeChecks(node),
  ];
}

async function settlementCheck(node: NodeConnection): Promise<Found> {
  const { record } = node;
  if (await isDeployed(node, record.wrappedNative)) return ok("deployed");
  const says = "not deployed: prices work, quotes are refused with SETTLEMENT_NOT_DEPLOYED; run tributary deploy";
  const way = (await hasCreate2Deployer(node)) ? "" : `; ${withoutCreate2Deployer(record.native.symbol)}`;
  return { outcome: "limited", says: `${says}${way}` };
}
