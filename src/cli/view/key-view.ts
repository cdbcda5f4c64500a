import type { KeyRecord } from "../../api/keys/key-record.ts";
import { BASE_FEE_PPM } from "../../api/parameters/integrator-fee.ts";
import { SCOPES } from "../command-options.ts";
import { columns } from "./table.ts";

/** A key for programs: times as timestamps, no digests. */
export function keyJson(key: KeyRecord, lastUsed: number | undefined, now: number) {
  return {
    id: key.id,
    account: key.account,
    label: key.label,
    state: stateOf(key, now),
    createdAt: timestamp(key.createdAt),
    expiresAt: timestamp(key.expiresAt),
    revokedAt: timestamp(key.revokedAt),
    lastUsedAt: timestamp(lastUsed === undefined ? null : lastUsed * 1_000),
    scopes: key.methods?.map(scopeOf) ?? null,
    origins: key.origins,
    feeRecipient: key.integrator?.recipient ?? null,
    feePpm: key.integrator?.ratePpm?.toString() ?? null,
    surplusRecipient: key.surplus?.recipient ?? null,
    surplusPpm: key.surplus?.ratePpm.toString() ?? null,
    unitsPerSecond: key.limit?.unitsPerSecond ?? null,
    burst: key.limit?.burst ?? null,
    secrets: key.secrets.map(({ createdAt, expiresAt }) => ({
      createdAt: timestamp(createdAt),
      expiresAt: timestamp(expiresAt),
    })),
  };
}

/** A key for people: one line for each thing that is to be said of it. */
export function keyLines(key: KeyRecord, lastUsed: number | undefined, now: number): string {
  const it = keyJson(key, lastUsed, now);
  const secrets = it.secrets.map(
    ({ createdAt, expiresAt }) => `of ${createdAt}${expiresAt ? ` until ${expiresAt}` : ""}`,
  );
  const rows = [
    ["id", it.id],
    ["account", it.account],
    ["label", it.label],
    ["state", it.state],
    ["created", it.createdAt ?? ""],
    ["expires", it.expiresAt ?? "never"],
    ["last used", it.lastUsedAt ?? "never"],
    ["scopes", it.scopes?.join(", ") ?? "all"],
    ["origins", it.origins?.join(", ") ?? "all"],
    ["fees", it.feeRecipient === null ? "none" : `to ${it.feeRecipient}, ${it.feePpm ?? BASE_FEE_PPM} ppm`],
    ["surplus", it.surplusRecipient === null ? "the taker's" : `${it.surplusPpm} ppm to ${it.surplusRecipient}`],
    ["limit", it.unitsPerSecond === null ? "RATE_LIMIT" : `${it.unitsPerSecond} units/s, ${it.burst} at once`],
    ...secrets.map((secret) => ["secret", secret]),
  ];
  return columns(rows).join("\n");
}

/** All keys as a table. */
export function keyTable(keys: readonly KeyRecord[], lastUsed: ReadonlyMap<string, number>, now: number): string {
  const rows = keys.map((key) => {
    const it = keyJson(key, lastUsed.get(key.id), now);
    return [it.id, it.account, it.label, it.state, it.expiresAt ?? "never", it.lastUsedAt ?? "never"];
  });
  return columns([["id", "account", "label", "state", "expires", "last used"], ...rows]).join("\n");
}

function stateOf({ revokedAt, expiresAt }: KeyRecord, now: number): "live" | "revoked" | "expired" {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "live";
}

function scopeOf(method: string): string {
  return Object.keys(SCOPES).find((scope) => SCOPES[scope] === method) ?? method;
}

function timestamp(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString();
}
