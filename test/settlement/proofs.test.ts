/** The claims of contracts/proofs about the gateway's arithmetic, by a model checker; its solver is not on every machine. */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";

const prove = (env: NodeJS.ProcessEnv) =>
  spawnSync(process.execPath, ["tools/contracts/prove.ts"], { encoding: "utf8", env });

const hasSolver = spawnSync("z3", ["--version"]).error === undefined;

describe("the gateway's arithmetic", () => {
  it("compiles beside its claims, and they are not called proved without a solver", () => {
    const { status, stderr } = prove({ ...process.env, PATH: "" });
    expect(stderr).toContain("There is no z3 on this machine");
    expect(status).toBe(2);
  });

  it.runIf(hasSolver)(
    "keeps its promises for all amounts, and a wrong claim is refuted",
    () => {
      const { status, stdout } = prove(process.env);
      expect(status, stdout).toBe(0);
      expect(stdout.match(/^proved/gm)).toHaveLength(13);
      expect(stdout).toContain("not proved  wrong");
    },
    300_000,
  );
});
