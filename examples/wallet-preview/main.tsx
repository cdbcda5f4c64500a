/**
 * A wallet's swap page with React and wagmi: what is received, at least, and approved, before anything is signed. Runs in
 * the browser, straight from the service: list the page's origin in CORS_ORIGINS.
 *
 *   esbuild examples/wallet-preview/main.tsx --bundle --format=esm --outfile=examples/wallet-preview/preview.js
 *
 * Serve the folder and open it as /#url=http://127.0.0.1:8080&node=http://127.0.0.1:8545&key=…
 */

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRestClient, withRetries } from "@tributary/client/rest";
import { createRoot } from "react-dom/client";
import { defineChain } from "viem";
import { createConfig, http, WagmiProvider } from "wagmi";
import { Preview } from "./preview.tsx";

const settings = new URLSearchParams(location.hash.slice(1));
const url = settings.get("url") ?? "http://127.0.0.1:8080";
const node = settings.get("node") ?? "http://127.0.0.1:8545";
const tributary = withRetries(createRestClient({ baseUrl: url, apiKey: settings.get("key") ?? "" }));

const { chainId, name, nativeToken } = await tributary.chain();
if (nativeToken === undefined) throw new Error("the service names no native token");
const usdh = (await tributary.tokens({ search: "USDH" })).tokens.find(({ symbol }) => symbol === "USDH");
if (usdh?.decimals === undefined) throw new Error("the service does not trade USDH");
const token = { ...usdh, decimals: usdh.decimals };

const chain = defineChain({ id: chainId, name, nativeCurrency: nativeToken, rpcUrls: { default: { http: [node] } } });
// wagmi finds the wallets of the browser by itself (EIP-6963).
const config = createConfig({ chains: [chain], transports: { [chain.id]: http() }, pollingInterval: 500 });

const app = document.querySelector("#app");
if (app === null) throw new Error("the page has no place for the app");
createRoot(app).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <Preview tributary={tributary} native={nativeToken} token={token} />
    </QueryClientProvider>
  </WagmiProvider>,
);
