import { toDecimal } from "../../client/decimal.ts";
import { allContracts, CREATE2_DEPLOYER, settlementContracts } from "../../settlement/contracts.ts";
import { deploySettlement, isMissing } from "../../settlement/deployment.ts";
import { EXIT, type ExitCode, type Invocation } from "../command.ts";
import { KEY_VARIABLE } from "../command-options.ts";
import { environmentOf } from "../connection/configuration.ts";
import { connectToNode, type NodeConnection } from "../connection/node-connection.ts";
import { balanceOf, gasLimit, gasOffer, payingAccount, sendAndWait } from "../connection/paying-account.ts";
import { columns } from "../view/table.ts";

export async function deploy(given: Invocation): Promise<ExitCode> {
  const node = await connectToNode(given);
  const { record, provider, codeAt } = node;
  const { print, note } = given;
  try {
    const account = given.has("send") ? payingAccount(environmentOf(given)) : undefined;
    const offer = await gasOffer(provider);
    const states = await statesOf(node);
    const cost = states.reduce((sum, { gas }) => sum + gas, 0n) * offer.maxFeePerGas;
    const symbol = record.native.symbol;
    print(`${record.name} (chain ${record.chainId})`);
    print(tableOf(states));
    if (cost === 0n) {
      print("nothing to do");
      return EXIT.ok;
    }
    print(`costs at most ${toDecimal(cost, 18)} ${symbol}`);
    if (account === undefined) {
      print(`dry run: add --send, with the key of the paying account in ${KEY_VARIABLE}`);
      return EXIT.ok;
    }
    const funds = await balanceOf(provider, account.address);
    if (funds < cost) {
      throw new Error(`${account.address} has ${toDecimal(funds, 18)} ${symbol}: that is not enough`);
    }
    await deploySettlement(
      {
        codeAt,
        async send(transaction) {
          note("waiting for a transaction to be mined …");
          const gas = await gasLimit(provider, transaction);
          const done = await sendAndWait(provider, account, {
            ...transaction,
            ...offer,
            gas,
            chainId: record.chainId,
          });
          print(`mined ${done.hash}, ${done.gasUsed} gas`);
        },
      },
      record.wrappedNative,
    );
    print("deployed: quotes open with the service's next block");
    return EXIT.ok;
  } finally {
    provider.close();
  }
}

/** Each contract of the settlement, whether it stands, and what its deployment takes. */
function statesOf({ record, provider, codeAt }: NodeConnection) {
  return Promise.all(
    allContracts(settlementContracts(record.wrappedNative)).map(async (contract) => {
      if (!(await isMissing({ codeAt }, contract))) return { contract, state: "stands", gas: 0n };
      const call = { to: CREATE2_DEPLOYER, data: contract.deployment };
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
