import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createLogger } from "../../../src/ops/logger.ts";
import { findSecrets, readTestLogs, secretsOfTests } from "../../../tools/find-secrets.ts";

describe("the look for secrets in logs", () => {
  const what = (line: string, ...secrets: string[]) => findSecrets([line], secrets).map((leak) => leak.what);

  it("finds URLs, keys that the service makes, and the secrets it is told", () => {
    expect(what('{"msg":"no answer from https://node.example/v2/abc"}')).toEqual(["a URL"]);
    expect(what('{"err":{"stack":"at WS://127.0.0.1:8545"}}')).toEqual(["a URL"]);
    expect(what('{"msg":"wrong key trb_0123456789abcdefghij"}')).toEqual(["a key"]);
    expect(what('{"authorization":"Bearer abcdefgh"}')).toEqual(["a bearer token"]);
    expect(what('{"msg":"key my-devnet-key"}', "another", "my-devnet-key")).toEqual(["the secret my-…"]);
  });

  it("finds nothing in what a service says of itself", () => {
    const line = '{"requestId":"1","operation":"swap.v1.SwapService/GetPrice","keyId":"preset","node":"node 1"}';
    expect(what(line, "my-devnet-key", "")).toEqual([]);
  });

  it("knows the keys of the tests", () => {
    const folder = mkdtempSync(join(tmpdir(), "secrets-"));
    try {
      writeFileSync(
        join(folder, "a.test.ts"),
        'const KEY = "the-first-key";\nstart({ TRIBUTARY_API_KEY: "the-second" });',
      );
      expect(secretsOfTests(folder)).toEqual(["the-first-key", "the-second"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(secretsOfTests(fileURLToPath(new URL("../..", import.meta.url))).length).toBeGreaterThan(8);
  });

  it.runIf(process.env.TRIBUTARY_TEST_LOGS)("reads what loggers of tests write, whatever they write to", () => {
    const lines: string[] = [];
    const logger = createLogger("info", { write: (line) => void lines.push(line) });
    logger.info({ apiKey: "in-the-clear", mark: "find-me" }, "a line");
    expect(lines).toHaveLength(1);
    const kept = readTestLogs(process.env.TRIBUTARY_TEST_LOGS ?? "").lines.filter((line) => line.includes("find-me"));
    expect(kept).toHaveLength(1);
    expect(kept[0]).toContain("[redacted]");
  });
});
