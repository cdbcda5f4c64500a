import { afterAll, describe, expect, test } from "vitest";
import { clearPrefix, hasRedis, ownPrefix, REDIS_URL } from "../../../fixtures/fleet/redis.ts";
import { revocableKeys } from "../../../src/api/keys/revocable-keys.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { openSharedMemory, revokeInFleet } from "../../../src/stores/redis/open-fleet.ts";
import { type Door, openDoor } from "../../support/door/http.ts";
import { REQUEST } from "../../support/door/price-call.ts";

const isThere = await hasRedis();
const place = { url: REDIS_URL, prefix: ownPrefix(), logger: createLogger("silent") };
const name = "a key that is revoked in a fleet";

afterAll(async () => {
  if (isThere) await clearPrefix(place.prefix);
});

describe.skipIf(!isThere)(isThere ? name : `${name}: skipped, no Redis at ${REDIS_URL}`, () => {
  test("ends at the door of every process, open streams included, whatever their databases say", async () => {
    const replicas = [openSharedMemory(place, 1_500), openSharedMemory(place, 1_500)];
    // Each has read the keys before, and its database does not tell.
    const doors: readonly Door[] = await Promise.all(
      replicas.map(({ isRevoked }) =>
        openDoor({}, revocableKeys({ verify: (text) => ({ keyId: text.split("-")[0]! }) }, isRevoked)),
      ),
    );
    const ask = (door: Door, key: string, path: string) =>
      fetch(`${door.origin}/swap/v1/${path}?${new URLSearchParams(REQUEST)}`, { headers: { "api-key": key } });
    const streams = await Promise.all(doors.map((door) => ask(door, "one-key", "price/stream")));
    for (const stream of streams) expect(stream.status).toBe(200);
    const ended = streams.map((stream) => stream.text());

    await expect.poll(() => replicas.every((replica) => replica.figures().isReachable)).toBe(true);
    await revokeInFleet(place, "one");
    for (const text of await Promise.all(ended)) expect(text).toContain("was revoked");
    for (const door of doors) {
      expect((await ask(door, "one-key", "price")).status).toBe(401);
      expect((await ask(door, "another-key", "price")).status).toBe(200);
    }
    // One that starts later learns of it before its first beat is a second old.
    const later = openSharedMemory(place, 1_500);
    await expect.poll(() => later.isRevoked("one")).toBe(true);
    await Promise.all([...replicas, later].map((replica) => replica.close()));
    await Promise.all(doors.map((door) => door.server.drain(100)));
  });

  test("is told as such where Redis cannot be", async () => {
    await expect(revokeInFleet({ ...place, url: "redis://127.0.0.1:1" }, "one")).rejects.toThrow(/ECONNREFUSED/);
  });
});
