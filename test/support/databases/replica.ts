import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDigest } from "../../../src/api/keys/pepper.ts";
import { openPostgres } from "../../../src/stores/postgres/open-postgres.ts";
import type { Stores } from "../../../src/stores/stores.ts";

/** Pepper of the key digests on all replicas of tests. */
export const PEPPER = "a pepper of the tests, long enough";

/** Opens what a replica keeps, with a folder of its own unless one is given. */
export async function openReplica(
  url: string,
  options: {
    readonly folder?: string;
    readonly mostQuotes?: number;
    readonly onOutage?: (reason: string | undefined) => void;
  } = {},
): Promise<Stores & { readonly outboxFile: string }> {
  const { folder = mkdtempSync(join(tmpdir(), "replica-")), mostQuotes, onOutage } = options;
  const outboxFile = join(folder, "outbox.sqlite");
  const stores = await openPostgres({
    settings: { url, connections: 2 },
    outboxFile,
    digest: () => createDigest(PEPPER),
    mostQuotes,
    deliverEveryMs: 100,
    ...(onOutage !== undefined && { onOutage }),
  });
  return { ...stores, outboxFile };
}
