import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openUsage } from "../../src/api/accounts.ts";
import { parseKeyText } from "../../src/api/keys/key-text.ts";
import { cli } from "./cli.ts";

let folder: string;
let environment: Record<string, string>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cli-keys-"));
  environment = { DATA_DIR: join(folder, "data") };
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (...words: string[]) => cli(words, environment);
const json = async (...words: string[]) => {
  const { code, stdout, stderr } = await run(...words, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
};

describe("keys", () => {
  it("are made, and shown this one time", async () => {
    const { code, stdout, stderr } = await run("keys", "create", "--label", "wallet");
    expect(code).toBe(0);
    const key = /^key +(\S+)$/m.exec(stdout)![1]!;
    const { id, secret } = parseKeyText(key)!;
    expect(stdout).toMatch(new RegExp(`^id +${id}$`, "m"));
    expect(stderr).toMatch(/cannot be shown again/);
    for (const words of [["list"], ["list", "--json"], ["show", id], ["show", id, "--json"]]) {
      const shown = await run("keys", ...words);
      expect(shown.code).toBe(0);
      expect(shown.stdout).toContain(id);
      expect(shown.stdout).toContain("wallet");
      expect(shown.stdout).not.toContain(secret);
    }
  });

  it("carry their terms", async () => {
    const recipient = `0x${"ab".repeat(20)}`;
    const made = await json(
      ...[
        "keys",
        "create",
        "--account",
        "acme",
        "--scopes",
        "Price, stream",
        "--origins",
        "https://a.example,chrome-extension://abc",
      ],
      ...["--fee-recipient", recipient, "--fee-rate", "0.0025", "--rate", "50", "--expires", "2999-01-31"],
    );
    expect(made).toMatchObject({
      account: "acme",
      state: "live",
      scopes: ["price", "stream"],
      origins: ["https://a.example", "chrome-extension://abc"],
      feeRecipient: recipient,
      feePpm: "2500",
      unitsPerSecond: 50,
      burst: 100,
      expiresAt: "2999-01-31T00:00:00.000Z",
      lastUsedAt: null,
    });
    const { key: _, ...shown } = made;
    expect(await json("keys", "show", made.id)).toEqual(shown);
    expect(await json("keys", "list")).toEqual([shown]);
  });

  it("are rotated and revoked by their id, or by the key itself", async () => {
    const { key, id } = await json("keys", "create", "--label", "wallet");
    const rotated = await json("keys", "rotate", key, "--overlap", "12h");
    expect(rotated.id).toBe(id);
    expect(rotated.key).not.toBe(key);
    const ends = rotated.secrets.map((secret: { expiresAt: string | null }) => secret.expiresAt === null);
    expect(ends).toEqual([true, false]);
    expect((await run("keys", "revoke", id)).stdout).toBe(`${id} is revoked`);
    expect((await run("keys", "revoke", id)).stdout).toBe(`${id} had been revoked before`);
    expect(await json("keys", "show", id)).toMatchObject({ state: "revoked" });
    expect(await run("keys", "rotate", id)).toMatchObject({ code: 1, stderr: expect.stringContaining("was revoked") });
  });

  it.each([
    [["create"], /--account or --label is needed/],
    [["create", "--label", "x", "--scopes", "price,admin"], /there is no scope "admin"/],
    [["create", "--label", "x", "--origins", "https://a.example/"], /is no web origin/],
    [["create", "--label", "x", "--fee-rate", "0.1"], /needs --fee-recipient/],
    [["create", "--label", "x", "--fee-recipient", "me"], /--fee-recipient must be an address/],
    [["create", "--label", "x", "--fee-recipient", `0x${"ab".repeat(20)}`, "--fee-rate", "0.2"], /between 0 and 0\.1/],
    [["create", "--label", "x", "--burst", "5"], /needs --rate/],
    [["create", "--label", "x", "--rate", "0"], /whole number from 1/],
    [["create", "--label", "x", "--expires", "2001-01-01"], /is over/],
    [["create", "--label", "x", "--expires", "soon"], /is no moment/],
    [["rotate", "0aB1cD2eF3", "--overlap", "1w"], /is no span of time/],
    [["show"], /the id of one key is needed/],
  ])("refuse %j", async (words, expected) => {
    const { code, stderr } = await run("keys", ...words);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(expected) });
  });

  it("that do not exist are told", async () => {
    for (const command of ["show", "revoke", "rotate"]) {
      const { code, stderr } = await run("keys", command, "0aB1cD2eF3");
      expect({ code, stderr }).toEqual({ code: 1, stderr: "there is no key with the id 0aB1cD2eF3" });
    }
  });

  it("need their pepper, and a folder that can be used", async () => {
    await run("keys", "create", "--label", "wallet");
    environment = { ...environment, KEY_PEPPER: "q".repeat(32) };
    expect(await run("keys", "list")).toMatchObject({ code: 2, stderr: expect.stringContaining("another pepper") });
    writeFileSync(join(folder, "file"), "");
    environment = { DATA_DIR: join(folder, "file") };
    expect(await run("keys", "list")).toMatchObject({ code: 2, stderr: expect.stringMatching(/^DATA_DIR: /) });
  });
});

describe("usage", () => {
  it("is told as a table, JSON or CSV, from a moment on", async () => {
    const database = openUsage(environment.DATA_DIR!);
    const now = Math.floor(Date.now() / 60_000) * 60;
    const row = { keyId: "k1", method: "GetPrice", outcome: "ok", requests: 12, units: 12 };
    database.add([
      { ...row, minute: now },
      { ...row, minute: now - 7_200, keyId: "k2" },
      { ...row, minute: now - 864_000 },
    ]);
    database.close();
    const stamp = (minute: number) => new Date(minute * 1_000).toISOString();
    expect((await run("usage")).stdout.split("\n")).toEqual([
      expect.stringMatching(/^minute +key +method +outcome +requests +units$/),
      expect.stringMatching(new RegExp(`^${stamp(now - 7_200)} +k2 +GetPrice +ok +12 +12$`)),
      expect.stringMatching(new RegExp(`^${stamp(now)} +k1 `)),
    ]);
    expect(await json("usage", "--from", "1h")).toEqual([{ ...row, minute: now }]);
    expect(await json("usage", "--from", "30d", "--key", "k1")).toHaveLength(2);
    expect(await json("usage", "--from", "30d", "--to", stamp(now - 7_200))).toHaveLength(1);
    expect((await run("usage", "--from", "1h", "--csv")).stdout).toBe(
      `minute,key,method,outcome,requests,units\r\n${stamp(now)},k1,GetPrice,ok,12,12`,
    );
    expect(await run("usage", "--from", "yesterday")).toMatchObject({ code: 2 });
  });

  it("is forgotten from before a moment, however much there is of it", async () => {
    const database = openUsage(environment.DATA_DIR!);
    const now = Math.floor(Date.now() / 60_000) * 60;
    const row = { method: "GetPrice", outcome: "ok", requests: 1, units: 1 };
    const many = Array.from({ length: 6_000 }, (_, index) => ({ ...row, keyId: `k${index}`, minute: now - 864_000 }));
    database.add([...many, { ...row, keyId: "k1", minute: now }]);
    expect(await run("usage", "forget", "--before", "9d")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^6000 rows of before /),
    });
    expect(database.read({ from: 0, until: now + 60 })).toEqual([{ ...row, keyId: "k1", minute: now }]);
    database.close();
    expect((await run("usage", "forget", "--before", "9d")).stdout).toMatch(/^0 rows /);
    for (const words of [[], ["--before", "yesterday"]]) {
      expect(await run("usage", "forget", ...words), words.join()).toMatchObject({ code: 2 });
    }
  });
});
