import type { ChangeableTerms, KeyRecord, SecretRecord } from "../api/keys/key-record.ts";
import type { UsageRow } from "../api/usage/usage-database.ts";
import { toAddress } from "../domain/address.ts";

/** A row of a table, by its columns: they have the same names in SQLite and in PostgreSQL. */
export type Row = Readonly<Record<string, unknown>>;

/** Methods, origins, recipients and rates of fee and surplus, units per second and burst of a key, as they are kept. */
export function termColumns({ methods, origins, integrator, surplus, limit }: ChangeableTerms) {
  return [
    methods && JSON.stringify(methods),
    origins && JSON.stringify(origins),
    integrator?.recipient ?? null,
    integrator?.ratePpm ?? null,
    surplus?.recipient ?? null,
    surplus?.ratePpm ?? null,
    limit?.unitsPerSecond ?? null,
    limit?.burst ?? null,
  ];
}

/** Keys of rows that have a key's columns and those of one of its secrets, in the order of the rows. */
export function keysOf(rows: readonly Row[]): readonly KeyRecord[] {
  const groups = Map.groupBy(rows, (row) => row.id as string);
  return [...groups.values()].map((group) => keyOf(group[0]!, group.map(secretOf)));
}

export function usageRowOf(row: Row): UsageRow {
  return {
    minute: row.start as number,
    keyId: row.key_id as string,
    method: row.method as string,
    outcome: row.outcome as string,
    requests: row.requests as number,
    units: row.units as number,
  };
}

function secretOf(row: Row): SecretRecord {
  return {
    digest: row.digest as Uint8Array,
    createdAt: row.secret_created_at as number,
    expiresAt: row.secret_expires_at as number | null,
  };
}

function keyOf(row: Row, secrets: readonly SecretRecord[]): KeyRecord {
  const [recipient, ratePpm] = [row.fee_recipient, row.fee_ppm];
  const [sharer, sharePpm] = [row.surplus_recipient, row.surplus_ppm];
  const [unitsPerSecond, burst] = [row.units_per_second, row.burst];
  return {
    id: row.id as string,
    account: row.account as string,
    label: row.label as string,
    createdAt: row.created_at as number,
    expiresAt: row.expires_at as number | null,
    revokedAt: row.revoked_at as number | null,
    methods: namesIn(row.methods),
    origins: namesIn(row.origins),
    integrator:
      typeof recipient === "string"
        ? { recipient: toAddress(recipient), ratePpm: typeof ratePpm === "number" ? BigInt(ratePpm) : null }
        : null,
    surplus:
      typeof sharer === "string" && typeof sharePpm === "number"
        ? { recipient: toAddress(sharer), ratePpm: BigInt(sharePpm) }
        : null,
    limit: typeof unitsPerSecond === "number" && typeof burst === "number" ? { unitsPerSecond, burst } : null,
    secrets,
  };
}

/** A list as its column has it: as text, or read already. */
function namesIn(column: unknown): readonly string[] | null {
  return typeof column === "string" ? (JSON.parse(column) as string[]) : ((column ?? null) as readonly string[] | null);
}
