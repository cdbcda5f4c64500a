import { expect, it } from "vitest";
import { createBlockMemory } from "../../src/chain/rpc/block-memory.ts";
import { watchDeployment } from "../../src/compose/deployment.ts";
import { type Address, NATIVE_TOKEN } from "../../src/domain/address.ts";
import type { Snapshot } from "../../src/market/snapshot.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { allContracts, settlementContracts } from "../../src/settlement/contracts.ts";

const contracts = allContracts(settlementContracts(NATIVE_TOKEN));
const codes = new Map<Address, string>(contracts.map(({ address, runtimeCode }) => [address, runtimeCode]));

/** A chain with one block, whose node answers nothing before `answer` is called with what it has at an address. */
function slowChain() {
  const answered = Promise.withResolvers<(address: Address) => string>();
  const memory = createBlockMemory();
  let block: (number: bigint) => void = () => {};
  return {
    chain: {
      memory,
      onSnapshot(listener: (snapshot: Snapshot) => void) {
        block = (number) => listener({ block: { number, hash: `0x${number}` } } as Snapshot);
        return () => {};
      },
      provider: {
        request: async (_: string, [address]: readonly unknown[]) => (await answered.promise)(address as Address),
      },
    },
    memory,
    block: (number = 1n) => block(number),
    answer: answered.resolve,
  };
}

it.each([
  ["has them", (address: Address) => codes.get(address) ?? "0x", true],
  ["has none of them", () => "0x", false],
  ["tells nobody", () => "no code", undefined],
])("the contracts count as looked for when the node has answered: it %s", async (_, codeAt, deployed) => {
  const { chain, block, answer } = slowChain();
  const deployment = watchDeployment(chain, NATIVE_TOKEN, createLogger("silent"), 0);
  expect(deployment.deployed).toBeUndefined();
  block();
  await new Promise((resolve) => setImmediate(resolve));
  expect(deployment.deployed).toBeUndefined();
  answer(codeAt);
  await deployment.firstLook;
  expect(deployment.deployed).toBe(deployed);
});

it("a look that the node refuses is repeated without another block", async () => {
  const { chain, block, answer } = slowChain();
  let refusals = 2;
  answer((address) => {
    if (refusals-- > 0) throw new Error("429 Too Many Requests");
    return codes.get(address)!;
  });
  const deployment = watchDeployment(chain, NATIVE_TOKEN, createLogger("silent"), 0);
  block();
  await deployment.firstLook;
  expect(deployment.deployed).toBe(true);
});

it("contracts that a reorganization took back are looked for again, with every block until they stand", async () => {
  const { chain, block, memory, answer } = slowChain();
  let stands = true;
  const asked: string[] = [];
  answer((address) => {
    asked.push(address);
    return stands ? codes.get(address)! : "0x";
  });
  const deployment = watchDeployment(chain, NATIVE_TOKEN, createLogger("silent"));
  const next = async (number: bigint) => {
    block(number);
    await new Promise((resolve) => setImmediate(resolve));
  };
  await next(7n);
  await next(8n);
  expect(deployment.deployed).toBe(true);
  expect(asked.length).toBe(contracts.length);
  memory.rewind(7n);
  expect(deployment.deployed).toBe(true);
  stands = false;
  memory.rewind(6n);
  expect(deployment.deployed).toBeUndefined();
  await next(7n);
  expect(deployment.deployed).toBe(false);
  stands = true;
  await next(8n);
  expect(deployment.deployed).toBe(true);
});
