import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startNode, type TestNode } from "../../fixtures/settlement/node.ts";
import { bundled } from "../../src/devnet/contracts/bundle.ts";
import { type Address, type Hex, toAddress } from "../../src/domain/address.ts";
import { allContracts, settlementContracts } from "../../src/settlement/contracts.ts";
import { CREATE2_DEPLOYER } from "../../src/settlement/create2-deployer.ts";
import { deploySettlement, isDeployed } from "../../src/settlement/deployment.ts";

/** As contracts/venue-codes.json names them. */
const venueCodes = JSON.parse(
  readFileSync(new URL("../../contracts/venue-codes.json", import.meta.url), "utf8"),
) as readonly { readonly part?: string }[];
const PARTS = [...new Set(venueCodes.flatMap(({ part }) => part ?? []))];

let node: TestNode;
let weth: Address;
beforeAll(async () => {
  node = await startNode();
  weth = await node.deploy(bundled("WETH9"));
});
afterAll(() => node?.stop());

describe("deployment", () => {
  it("puts exactly the code we know at the addresses we know, once", async () => {
    expect(await isDeployed(node.deployer, weth)).toBe(false);
    const first = await deploySettlement(node.deployer, weth);
    expect(first.map(({ name }) => name)).toEqual(["Gateway", ...PARTS, "Executor", "OrderSettlement"]);
    expect(await isDeployed(node.deployer, weth)).toBe(true);
    expect(await deploySettlement(node.deployer, weth)).toEqual([]);
  });

  it("shares all contracts between wrapped tokens but the executor", async () => {
    const other = toAddress(`0x${"cc".repeat(20)}`);
    const [ours, theirs] = [settlementContracts(weth), settlementContracts(other)];
    expect(theirs.gateway).toEqual(ours.gateway);
    expect(theirs.orders).toEqual(ours.orders);
    expect(theirs.parts).toEqual(ours.parts);
    expect(theirs.executor.address).not.toBe(ours.executor.address);
    expect(await isDeployed(node.deployer, other)).toBe(false);
    expect((await deploySettlement(node.deployer, other)).map(({ name }) => name)).toEqual(["Executor"]);
  });

  it("goes on where somebody else puts the same code there first, and fails where a contract does not come", async () => {
    const third = toAddress(`0x${"dd".repeat(20)}`);
    const overtaken = {
      ...node.deployer,
      send: async (transaction: { readonly to: Address; readonly data: Hex }) => {
        await node.send({ from: node.accounts[3]!, ...transaction });
        await node.deployer.send(transaction);
      },
    };
    expect(await deploySettlement(overtaken, third)).toEqual([]);
    expect(await isDeployed(node.deployer, third)).toBe(true);
    const failing = { ...node.deployer, send: () => Promise.reject(new Error("out of gas")) };
    await expect(deploySettlement(failing, toAddress(`0x${"ee".repeat(20)}`))).rejects.toThrow("out of gas");
  });

  it("is not believed when the code of any of them differs in one byte, or one is missing", async () => {
    for (const { name, address, runtimeCode } of allContracts(settlementContracts(weth))) {
      const last = Number.parseInt(runtimeCode.slice(-2), 16);
      const changed = `${runtimeCode.slice(0, -2)}${(last ^ 1).toString(16).padStart(2, "0")}` as Hex;
      await node.rpc("anvil_setCode", address, changed);
      expect(await isDeployed(node.deployer, weth), name).toBe(false);
      await expect(deploySettlement(node.deployer, weth)).rejects.toThrow(`is not that of our ${name}`);
      await node.rpc("anvil_setCode", address, "0x");
      expect(await isDeployed(node.deployer, weth), name).toBe(false);
      await node.rpc("anvil_setCode", address, runtimeCode);
      expect(await isDeployed(node.deployer, weth), name).toBe(true);
    }
  });

  it("has its parts where the executor's code says that they are", () => {
    const { executor, parts } = settlementContracts(weth);
    expect(parts.map(({ name }) => name)).toEqual(PARTS);
    for (const { name, address } of parts) expect(executor.runtimeCode, name).toContain(address.slice(2));
  });

  it("says so when the chain has no CREATE2 deployer", async () => {
    const bare = { ...node.deployer, codeAt: async () => "0x" as Hex };
    await expect(deploySettlement(bare, weth)).rejects.toThrow(CREATE2_DEPLOYER);
  });

  it("stays within the size that chains allow", () => {
    for (const { runtimeCode } of allContracts(settlementContracts(weth))) {
      expect((runtimeCode.length - 2) / 2).toBeLessThan(24_576);
    }
  });
});
