import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseKeyText } from "../../src/api/keys/key-text.ts";
import { openUsage } from "../../src/stores/open-stores.ts";
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

const SHARING = (share: string) => [
  ...["create", "--label", "x", "--surplus-recipient", `0x${"ab".repeat(20)}`, "--surplus-share", share],
];

describe("keys", () => {
  it("are made, and shown this one time", async () => {
    const { code, stdout, stderr } = await run("keys", "create", "--label", "wallet");
    expect(code).toBe(0);
    const key = /^key +(\S+)$/m.exec(stdout)![1]!;
    const { id, secret } = parseKeyText(key)!;
    expect(stdout).toMatch(new RegExp(`^id +${id}$`, "m"));
    expect(stderr).toMatch(/is not shown again/);
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
      ...["--surplus-recipient", recipient, "--surplus-share", "0.1"],
    );
    expect(made).toMatchObject({
      account: "acme",
      state: "live",
      scopes: ["price", "stream"],
      origins: ["https://a.example", "chrome-extension://abc"],
      feeRecipient: recipient,
      feePpm: "2500",
      surplusRecipient: recipient,
      surplusPpm: "100000",
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
    expect((await run("keys", "revoke", id)).stdout).toBe(`${id} was revoked before`);
    expect(await json("keys", "show", id)).toMatchObject({ state: "revoked" });
    expect(await run("keys", "rotate", id)).toMatchObject({ code: 1, stderr: expect.stringContaining("was revoked") });
  });

  it("are changed without a new secret", async () => {
    const recipient = `0x${"ab".repeat(20)}`;
    const { key, ...made } = await json(
      ...["keys", "create", "--account", "acme", "--scopes", "price", "--origins", "https://a.example", "--rate", "50"],
      ...["--fee-recipient", recipient, "--fee-rate", "0.0025", "--expires", "2999-01-31"],
      ...["--surplus-recipient", recipient, "--surplus-share", "0.000001"],
    );
    expect(await json("keys", "update", made.id, "--label", "wallet")).toEqual({ ...made, label: "wallet" });
    const other = `0x${"cd".repeat(20)}`;
    const changed = await json(
      ...["keys", "update", key, "--scopes", "all", "--origins", "all", "--expires", "never"],
      ...["--burst", "500", "--fee-recipient", other, "--surplus-recipient", other],
    );
    expect(changed).toEqual({
      ...{ ...made, label: "wallet", scopes: null, origins: null, expiresAt: null },
      ...{ unitsPerSecond: 50, burst: 500, feeRecipient: other, feePpm: "2500" },
      ...{ surplusRecipient: other, surplusPpm: "1" },
    });
    const plain = await json("keys", "update", made.id, "--rate", "default", "--fee-recipient", "none");
    expect(plain).toEqual({ ...changed, unitsPerSecond: null, burst: null, feeRecipient: null, feePpm: null });
    expect(await json("keys", "show", made.id)).toEqual(plain);
    expect(await json("keys", "update", made.id, "--surplus-share", "0.5")).toEqual({ ...plain, surplusPpm: "500000" });
    expect(await json("keys", "update", made.id, "--surplus-recipient", "none")).toEqual({
      ...{ ...plain, surplusRecipient: null, surplusPpm: null },
    });
  });

  it.each([
    [[], 2, /give an option that changes/],
    [["--account", "other"], 2, /there is no option --account/],
    [["--fee-rate", "0.1"], 2, /--fee-rate needs --fee-recipient/],
    [["--burst", "5"], 2, /--burst needs --rate/],
    [["--expires", "2001-01-01"], 2, /is over/],
    [["--fee-recipient", `0x${"ee".repeat(20)}`], 2, /the native token, and fees sent there/],
  ])("refuse an update with %j", async (words, code, expected) => {
    const { id } = await json("keys", "create", "--label", "wallet");
    expect(await run("keys", "update", id, ...words)).toMatchObject({ code, stderr: expect.stringMatching(expected) });
  });

  it("are changed no more once they are revoked", async () => {
    const { id } = await json("keys", "create", "--label", "wallet");
    await run("keys", "revoke", id);
    const outcome = await run("keys", "update", id, "--expires", "never");
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining("was revoked") });
  });

  it.each([
    [["create"], /give --account or --label/],
    [["create", "--label", "x", "--scopes", "price,admin"], /there is no scope "admin"/],
    [["create", "--label", "x", "--origins", "https://a.example/"], /is no web origin/],
    [["create", "--label", "x", "--fee-rate", "0.1"], /needs --fee-recipient/],
    [["create", "--label", "x", "--surplus-share", "0.1"], /needs --surplus-recipient/],
    [["create", "--label", "x", "--surplus-recipient", `0x${"ab".repeat(20)}`], /needs --surplus-share/],
    [SHARING("0"), /0 shares nothing/],
    [SHARING("0.500001"), /between 0 and 0\.5/],
    [SHARING("half"), /plain decimal fraction/],
    [["create", "--label", "x", "--fee-recipient", "me"], /--fee-recipient must be an address/],
    [["create", "--label", "x", "--fee-recipient", `0x${"ab".repeat(20)}`, "--fee-rate", "0.2"], /between 0 and 0\.1/],
    [["create", "--label", "x", "--burst", "5"], /needs --rate/],
    [["create", "--label", "x", "--rate", "0"], /whole number from 1/],
    [["create", "--label", "x", "--expires", "2001-01-01"], /is over/],
    [["create", "--label", "x", "--expires", "soon"], /is no moment/],
    [["rotate", "0aB1cD2eF3", "--overlap", "1w"], /is no span of time/],
    [["show"], /give the id of one key/],
  ])("refuse %j", async (words, expected) => {
    const { code, stderr } = await run("keys", ...words);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(expected) });
  });

  it("that do not exist are told", async () => {
    for (const command of [["show"], ["revoke"], ["rotate"], ["update", "--label", "x"]]) {
      const { code, stderr } = await run("keys", ...command, "0aB1cD2eF3");
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: "there is no key with the id 0aB1cD2eF3: see tributary keys list",
      });
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

  it("is added up by account and day, with all keys of an account", async () => {
    const [first, second] = [
      await json("keys", "create", "--account", "acme"),
      await json("keys", "create", "--account", "acme"),
    ];
    const database = openUsage(environment.DATA_DIR!);
    const day = Math.floor(Date.now() / 86_400_000) * 86_400 - 86_400;
    const row = { method: "GetPrice", outcome: "ok", requests: 2, units: 3 };
    for (const keyId of [first.id, second.id, "preset"]) {
      database.add([
        { ...row, keyId, minute: day + 60 },
        { ...row, keyId, minute: day + 7_260 },
      ]);
    }
    database.close();
    const sum = { ...row, requests: 8, units: 12 };
    expect(await json("usage", "--from", "2d", "--per", "day", "--by", "account")).toEqual([
      { day, account: "acme", ...sum },
      { day, account: "preset", ...row, requests: 4, units: 6 },
    ]);
    const csv = await run("usage", "--from", "2d", "--per", "hour", "--account", "acme", "--by", "account", "--csv");
    const stamp = (seconds: number) => new Date(seconds * 1_000).toISOString();
    expect(csv.stdout.split("\r\n")).toEqual([
      "hour,account,method,outcome,requests,units",
      `${stamp(day)},acme,GetPrice,ok,4,6`,
      `${stamp(day + 7_200)},acme,GetPrice,ok,4,6`,
    ]);
    expect(await run("usage", "--per", "week")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--per: week"),
    });
    expect(await run("usage", "--by", "scope")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--by: scope"),
    });
  });

  it("is forgotten from before a moment, however much there is of it", async () => {
    const database = openUsage(environment.DATA_DIR!);
    const now = Math.floor(Date.now() / 60_000) * 60;
    const row = { method: "GetPrice", outcome: "ok", requests: 1, units: 1 };
    const many = Array.from({ length: 6_000 }, (_, index) => ({ ...row, keyId: `k${index}`, minute: now - 864_000 }));
    database.add([...many, { ...row, keyId: "k1", minute: now }]);
    expect(await run("usage", "forget", "--before", "9d")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^6000 rows from before /),
    });
    expect(await database.read({ from: 0, until: now + 60 })).toEqual([{ ...row, keyId: "k1", minute: now }]);
    database.close();
    expect((await run("usage", "forget", "--before", "9d")).stdout).toMatch(/^0 rows /);
    for (const words of [[], ["--before", "yesterday"]]) {
      expect(await run("usage", "forget", ...words), words.join()).toMatchObject({ code: 2 });
    }
  });
});
