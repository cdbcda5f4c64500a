import { expect, it } from "vitest";
import { watchDeployment } from "../../src/compose-deployment.ts";
import { type Address, NATIVE_TOKEN } from "../../src/domain/address.ts";
import type { Snapshot } from "../../src/market/snapshot.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { settlementContracts } from "../../src/settlement/contracts.ts";

const contracts = Object.values(settlementContracts(NATIVE_TOKEN));
const codes = new Map<Address, string>(contracts.map(({ address, runtimeCode }) => [address, runtimeCode]));

/** A chain with one block, whose node answers nothing before `answer` is called with what it has at an address. */
function slowChain() {
  const answered = Promise.withResolvers<(address: Address) => string>();
  let block = () => {};
  return {
    chain: {
      onSnapshot(listener: (snapshot: Snapshot) => void) {
        block = () => listener({} as Snapshot);
        return () => {};
      },
      provider: {
        request: async (_: string, [address]: readonly unknown[]) => (await answered.promise)(address as Address),
      },
    },
    block: () => block(),
    answer: answered.resolve,
  };
}

it.each([
  ["has them", (address: Address) => codes.get(address) ?? "0x", true],
  ["has none of them", () => "0x", false],
  ["tells nobody", () => "no code", false],
])("the contracts count as looked for when the node has answered: it %s", async (_, codeAt, deployed) => {
  const { chain, block, answer } = slowChain();
  const deployment = watchDeployment(chain, NATIVE_TOKEN, createLogger("silent"));
  expect(deployment.deployed).toBeUndefined();
  block();
  await new Promise((resolve) => setImmediate(resolve));
  expect(deployment.deployed).toBeUndefined();
  answer(codeAt);
  await deployment.firstLook;
  expect(deployment.deployed).toBe(deployed);
});
