import type { AuditEngine } from "../../compose/audit.ts";
import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import type { Token } from "../../domain/token.ts";
import type { Snapshot } from "../../market/snapshot.ts";

const USUAL_DECIMALS = 18;

/** Names what kind of token each is, for people: by how it comes to be quoted, and by its decimals where these are unusual. */
export function tokenKinds(
  { record, chain }: Pick<AuditEngine, "record" | "chain">,
  listed: ReadonlySet<Address>,
): (token: Token, snapshot: Snapshot) => string {
  const known = new Set([...listed, ...(record.referenceTokens ?? [])]);
  const standing = ({ address }: Token, { graph }: Snapshot) => {
    if (address === NATIVE_TOKEN) return "native";
    if (address === record.wrappedNative) return "wrapped native";
    if (chain.verdicts.isUntestable(address)) return "token whose transfers cannot be tried";
    if (graph.pool(address) !== undefined) return "share of a pool or vault";
    return known.has(address) ? "listed" : "not listed";
  };
  return (token, snapshot) => {
    const kind = standing(token, snapshot);
    return token.decimals === USUAL_DECIMALS ? kind : `${kind}, ${token.decimals} decimals`;
  };
}
