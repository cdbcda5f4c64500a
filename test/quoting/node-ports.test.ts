import { systemClock } from "../../src/chain/rpc/clock.ts";
import { createProvider, type Provider } from "../../src/chain/rpc/provider.ts";
import { RpcError, TransportError } from "../../src/chain/rpc/provider-errors.ts";
import { createChainReader } from "../../src/chain/rpc/reader.ts";
import { createAccountReader } from "../../src/chain/simulation/accounts.ts";
import { createSimulator } from "../../src/chain/simulation/simulator.ts";
import { openMarket } from "../../src/compose/snapshot-market.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { readOnce } from "../../src/quoting/quote/read-once.ts";
import { savedMarketOf } from "../support/saved-market.ts";
import { type TestDevnet, useDevnet } from "../support/worlds/devnet.ts";
import { revertReason } from "../support/worlds/revert-reason.ts";
import { describeAccountReader } from "./account-reader.suite.ts";
import { describeSimulator } from "./simulator.suite.ts";

const devnet = useDevnet();
const logger = createLogger("silent");

/** The node's own provider, or one that answers as `request` says. */
function providerOf({ rpcUrl }: TestDevnet, request?: Provider["request"]): Provider {
  const provider = createProvider({ url: rpcUrl, timeoutMs: 10_000, logger });
  return request === undefined ? provider : { ...provider, request };
}

function accountsOf(node: TestDevnet, request?: Provider["request"]) {
  return createAccountReader(createChainReader(providerOf(node, request), node.chain));
}

function simulatorOf(node: TestDevnet, request?: Provider["request"]) {
  const provider = providerOf(node, request);
  const accounts = accountsOf(node, request);
  const parts = { provider, accounts, record: node.chain, logger, clock: systemClock };
  return createSimulator({ ...parts, explainRevert: revertReason });
}

const silence: Provider["request"] = () => Promise.reject(new TransportError("no answer in time"));
const refusal: Provider["request"] = () => Promise.reject(new RpcError(-32601, "no such method"));
const nonsense: Provider["request"] = () => Promise.resolve({ calls: "none" });

describeSimulator("on a node", { devnet, create: simulatorOf, runs: true });
describeSimulator("on a node that is silent", { devnet, create: (node) => simulatorOf(node, silence), runs: false });
describeSimulator("on a node that refuses", { devnet, create: (node) => simulatorOf(node, refusal), runs: false });
describeSimulator("on a node that talks nonsense", {
  ...{ devnet, runs: false },
  create: (node) => simulatorOf(node, nonsense),
});
describeSimulator("of a saved market", { devnet, create: () => openMarket(savedMarketOf([])).simulator, runs: false });

describeAccountReader("on a node", { devnet, create: accountsOf, knows: true });
describeAccountReader("read once", { devnet, create: (node) => readOnce(accountsOf(node)), knows: true });
describeAccountReader("on a node that is silent", {
  devnet,
  create: (node) => accountsOf(node, silence),
  knows: false,
});
describeAccountReader("of a saved market", {
  devnet,
  create: () => openMarket(savedMarketOf([])).accounts,
  knows: false,
});
