import type { Command } from "./command.ts";
import { CONNECTION_OPTIONS } from "./command-options.ts";

const { json: _, ...AGENT_OPTIONS } = CONNECTION_OPTIONS;

/** Commands that ask a running service what can be traded, where, and on which chain. */
export const LISTING_COMMANDS: readonly Command[] = [
  {
    name: "sources",
    about: "Lists all sources of liquidity with their state and newest block.",
    takes: "",
    options: CONNECTION_OPTIONS,
    example: "sources",
    run: async (given) => (await import("./calls/listings.ts")).sources(given),
  },
  {
    name: "tokens",
    about: "Lists the tokens that can be traded, the deepest first, or finds some of them.",
    takes: "[part of a symbol or name | address ...]",
    options: {
      "page-size": { value: "number", about: "tokens on one page, 1 to 100; 50 without it" },
      cursor: { value: "text", about: "start after the page that printed this cursor" },
      ...CONNECTION_OPTIONS,
    },
    example: "tokens usd",
    run: async (given) => (await import("./calls/listings.ts")).tokens(given),
  },
  {
    name: "chain",
    about: "Shows the chain that is served, with its block, contracts and limits.",
    takes: "",
    options: CONNECTION_OPTIONS,
    example: "chain",
    run: async (given) => (await import("./calls/listings.ts")).chain(given),
  },
  {
    name: "mcp",
    about:
      "Lets an agent ask a running service, over the Model Context Protocol on standard input and output. It never sends.",
    takes: "",
    options: AGENT_OPTIONS,
    example: "mcp",
    run: async (given) => (await import("./mcp/serve-mcp.ts")).serveMcp(given),
  },
];
