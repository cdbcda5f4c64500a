import { runsCancun, WITHOUT_CANCUN } from "../../chain/simulation/evm-check.ts";
import { toDecimal } from "../../client/decimal.ts";
import type { Address, Hex } from "../../domain/address.ts";
import { messageOf } from "../../domain/message-of.ts";
import { allContracts, settlementContracts } from "../../settlement/contracts.ts";
import {
  CREATE2_DEPLOYER,
  CREATE2_DEPLOYER_COST,
  CREATE2_DEPLOYER_SIGNER,
  CREATE2_DEPLOYER_TRANSACTION,
  withoutCreate2Deployer,
} from "../../settlement/create2-deployer.ts";
import { deploySettlement, hasCreate2Deployer, isMissing } from "../../settlement/deployment.ts";
import { EXIT, type ExitCode, type Invocation } from "../command.ts";
import { KEY_VARIABLE } from "../command-options.ts";
import { environmentOf } from "../connection/configuration.ts";
import { connectToNode, type NodeConnection } from "../connection/node-connection.ts";
import { balanceOf, gasLimit, gasOffer, payingAccount, sendAndWait, sendSigned } from "../connection/paying-account.ts";
import { columns } from "../view/table.ts";

export async function deploy(given: Invocation): Promise<ExitCode> {
  const node = await connectToNode(given);
  const { record, provider, codeAt } = node;
  const { print, note } = given;
  try {
    const account = given.has("send") ? payingAccount(environmentOf(given)) : undefined;
    if (!(await runsCancun(provider))) throw new Error(WITHOUT_CANCUN);
    const offer = await gasOffer(provider);
    const deployerStands = await hasCreate2Deployer(node);
    const states = await statesOf(node, deployerStands);
    const ours = states.reduce((sum, { gas }) => sum + gas, 0n) * offer.maxFeePerGas;
    const cost = ours + (deployerStands || ours === 0n ? 0n : CREATE2_DEPLOYER_COST);
    const symbol = record.native.symbol;
    print(`${record.name} (chain ${record.chainId})`);
    print(tableOf(states));
    if (cost === 0n) {
      print("nothing to do: all contracts are deployed");
      return EXIT.ok;
    }
    if (!deployerStands) note(withoutCreate2Deployer(symbol));
    print(`costs at most ${toDecimal(cost, 18)} ${symbol}`);
    if (account === undefined) {
      print(`dry run: add --send, with the key of the paying account in ${KEY_VARIABLE}`);
      return EXIT.ok;
    }
    const funds = await balanceOf(provider, account.address);
    if (funds < cost) {
      throw new Error(
        `${account.address} has ${toDecimal(funds, 18)} ${symbol}, and needs ${toDecimal(cost, 18)}: send it the rest`,
      );
    }
    const send = async (transaction: { readonly to: Address; readonly data: Hex; readonly value?: bigint }) => {
      const name =
        states.find(({ contract }) => contract.deployment === transaction.data)?.contract.name ?? "CREATE2 deployer";
      note(`${name}: waiting for the transaction to be mined …`);
      const gas = await gasLimit(provider, transaction);
      const done = await sendAndWait(provider, account, { ...transaction, ...offer, gas, chainId: record.chainId });
      print(`${name}: mined ${done.hash}, ${done.gasUsed} gas`);
    };
    if (!deployerStands) await putCreate2Deployer(node, send);
    await deploySettlement({ codeAt, send }, record.wrappedNative);
    print("deployed: a running service gives quotes from its next block on");
    return EXIT.ok;
  } finally {
    provider.close();
  }
}

/** Pays the account whose signed transaction makes the CREATE2 deployer, and sends that. @throws Error with the way out */
async function putCreate2Deployer(
  { provider, record, codeAt }: NodeConnection,
  send: (transaction: { readonly to: Address; readonly data: Hex; readonly value: bigint }) => Promise<void>,
): Promise<void> {
  const funded = await balanceOf(provider, CREATE2_DEPLOYER_SIGNER);
  if (funded < CREATE2_DEPLOYER_COST) {
    await send({ to: CREATE2_DEPLOYER_SIGNER, data: "0x", value: CREATE2_DEPLOYER_COST - funded });
  }
  try {
    await sendSigned(provider, CREATE2_DEPLOYER_TRANSACTION);
  } catch (error) {
    throw new Error(`${messageOf(error)}: ${withoutCreate2Deployer(record.native.symbol)}`);
  }
  if ((await codeAt(CREATE2_DEPLOYER)) === "0x") throw new Error(withoutCreate2Deployer(record.native.symbol));
}

/** Each contract of the settlement, whether it stands, and what its deployment takes. */
function statesOf({ record, provider, codeAt }: NodeConnection, deployerStands: boolean) {
  return Promise.all(
    allContracts(settlementContracts(record.wrappedNative)).map(async (contract) => {
      if (!(await isMissing({ codeAt }, contract))) return { contract, state: "stands", gas: 0n };
      // Without the deployer its own creation tells, nearly.
      const call = deployerStands ? { to: CREATE2_DEPLOYER, data: contract.deployment } : { data: contract.initCode };
      return { contract, state: "to be deployed", gas: await gasLimit(provider, call) };
    }),
  );
}

function tableOf(states: Awaited<ReturnType<typeof statesOf>>): string {
  const rows = states.map(({ contract: { name, address }, state, gas }) => {
    return [name, address, state, gas === 0n ? "" : `${gas} gas`];
  });
  return columns(rows).join("\n");
}
