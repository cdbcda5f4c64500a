import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseTransaction, recoverTransactionAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeChainFile } from "../../../fixtures/chain/chain-file.ts";
import { startAnvil } from "../../../src/devnet/node/anvil.ts";
import {
  CREATE2_DEPLOYER,
  CREATE2_DEPLOYER_COST,
  CREATE2_DEPLOYER_SIGNER,
  CREATE2_DEPLOYER_TRANSACTION,
} from "../../../src/settlement/create2-deployer.ts";
import { startTestDevnet, type TestDevnet } from "../../support/worlds/devnet.ts";
import { cli } from "../cli.ts";

/** The devnet's deployer, whose key all the world knows. */
const PAYER = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";

let devnet: TestDevnet;
let folder: string;
let environment: Record<string, string>;
beforeAll(async () => {
  devnet = await startTestDevnet();
  folder = mkdtempSync(join(tmpdir(), "bare-chains-"));
  writeChainFile(join(folder, "chain.json"), { ...devnet.chain, blockTimeMs: 0 });
  environment = { RPC_URL: devnet.rpcUrl, CHAIN_FILE: join(folder, "chain.json") };
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await devnet?.stop();
});

it("the transaction that makes the CREATE2 deployer is the one that the account signed", async () => {
  const { gas, gasPrice } = parseTransaction(CREATE2_DEPLOYER_TRANSACTION as `0x${string}`);
  expect(gas! * gasPrice!).toBe(CREATE2_DEPLOYER_COST);
  const signer = await recoverTransactionAddress({ serializedTransaction: CREATE2_DEPLOYER_TRANSACTION as never });
  expect(signer.toLowerCase()).toBe(CREATE2_DEPLOYER_SIGNER);
});

describe("a chain without the CREATE2 deployer", { timeout: 120_000 }, () => {
  it("is told by doctor, verify and deploy, with the way out, which deploy takes", async () => {
    await devnet.rpc("anvil_setCode", [CREATE2_DEPLOYER, "0x"]);
    await devnet.rpc("anvil_setNonce", [CREATE2_DEPLOYER, "0x0"]);
    const way = `send 0.01 ETH to ${CREATE2_DEPLOYER_SIGNER}, then this signed transaction`;
    const doctor = await cli(["doctor"], environment);
    expect(doctor.code).toBe(0);
    expect(doctor.stdout).toMatch(
      new RegExp(`^limited {2}settlement: not deployed.*${way}.*${CREATE2_DEPLOYER_TRANSACTION}`, "m"),
    );
    for (const command of ["verify", "deploy"]) {
      const { stderr } = await cli([command], environment);
      expect(stderr).toContain(way);
    }
    await devnet.rpc("evm_setAutomine", [true]);
    const sent = await cli(["deploy", "--send"], { ...environment, DEPLOYER_PRIVATE_KEY: PAYER });
    await devnet.rpc("evm_setAutomine", [false]);
    expect(sent.code, sent.stderr).toBe(0);
    expect(await devnet.rpc("eth_getCode", [CREATE2_DEPLOYER, "latest"])).not.toBe("0x");
    expect((await cli(["verify"], environment)).code).toBe(0);
  });
});

describe("a chain without transient storage", { timeout: 120_000 }, () => {
  it("is told by doctor, verify and deploy", async () => {
    const anvil = await startAnvil({ port: 0, hardfork: "shanghai" });
    try {
      const old = { ...environment, RPC_URL: anvil.rpcUrl };
      const doctor = await cli(["doctor"], old);
      expect(doctor.stdout).toMatch(/^WRONG {4}EVM: the chain's EVM has no transient storage \(EIP-1153\)/m);
      expect(doctor.code).toBe(5);
      const deploy = await cli(["deploy"], old);
      expect(deploy).toMatchObject({ code: 1, stderr: expect.stringContaining("EIP-1153") });
      const verify = await cli(["verify"], old);
      expect(verify).toMatchObject({ code: 5, stderr: expect.stringContaining("EIP-1153") });
    } finally {
      await anvil.stop();
    }
  });
});
