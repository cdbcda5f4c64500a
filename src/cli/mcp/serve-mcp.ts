import { Server } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { type CallOptions, SwapCallError, type SwapClient } from "../../client/index.ts";
import { VERSION } from "../../ops/version.ts";
import { EXIT, type ExitCode, type Invocation } from "../command.ts";
import { connect } from "../connection/connection.ts";
import { AGENT_TOOLS, type AgentTool, type ToolArguments } from "./tools.ts";

/** Bytes of one message of an agent's: as many as the service takes of one call. */
const MAX_MESSAGE_BYTES = 65_536;
/** JSON-RPC's code for what is no request. */
const INVALID_REQUEST = -32_600;
/** Calls of one agent that run at a time. */
const MAX_CALLS = 8;

const INSTRUCTIONS = `Prices and quotes of token swaps on one EVM chain, exact to the base unit for the block that they name.
Ask "chain" which chain it is and "tokens" for addresses and decimals. Amounts are strings of base units.
A quote is a transaction that nobody has signed or sent: only its taker can, and no tool here does.`;

/** Result of a tool call. */
interface ToolResult {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly isError?: boolean;
  readonly [more: string]: unknown;
}

/** Serves an agent on standard input and output until either is closed. Notes go to standard error. */
export async function serveMcp(given: Invocation): Promise<ExitCode> {
  const { client, call, url } = connect(given);
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  let fault: Error | undefined;
  const noted = (error: Error) => {
    fault = error;
    given.note(`tributary mcp: ${error.message}`);
  };
  const handle = serveStdio(() => agentServer(client, call), { transport, onerror: noted });
  given.note(`tributary mcp: answering an agent with prices of ${url}`);
  await closed(transport, given.unread);
  await handle.close();
  const { readableEnded, destroyed } = process.stdin;
  if (fault === undefined || readableEnded || destroyed || given.unread?.aborted) return EXIT.ok;
  // The transport has ended by itself: it cannot tell where the next message begins.
  const message = `a message has more than ${MAX_MESSAGE_BYTES} bytes, the most that is read; start anew and send a shorter one`;
  given.print(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: INVALID_REQUEST, message } }));
  return EXIT.failed;
}

/** Resolves when the agent has gone. */
function closed(transport: StdioServerTransport, unread: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const before = transport.onclose;
    transport.onclose = () => {
      before?.();
      resolve();
    };
    unread?.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** The tools as a server of the protocol. Arguments are checked by the service's own client, which says what to send instead. */
function agentServer(client: SwapClient, options: CallOptions): Server {
  const server = new Server(
    { name: "tributary", title: "Tributary", version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  let running = 0;
  server.setRequestHandler("tools/list", () => ({ tools: AGENT_TOOLS.map(toolShown) }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const tool = AGENT_TOOLS.find(({ name }) => name === params.name);
    if (tool === undefined) return failed(`There is no tool "${params.name.slice(0, 64)}". Known: ${names()}.`);
    const given = params.arguments ?? {};
    const unknown = unknownOf(tool, given);
    if (unknown !== undefined) return failed(unknown);
    if (running >= MAX_CALLS) return failed(`${MAX_CALLS} calls are running, the most at a time. Wait for one.`);
    running += 1;
    try {
      const text = await tool.call(client, given, { ...options, signal: mcpReq.signal });
      return { content: [{ type: "text", text }] } satisfies ToolResult;
    } catch (error) {
      if (error instanceof SwapCallError) return failed(sentencesOf(error));
      throw error;
    } finally {
      running -= 1;
    }
  });
  return server;
}

function toolShown({ name, title, description, inputSchema }: AgentTool) {
  const annotations = { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };
  return { name, title, description, inputSchema, annotations };
}

function names(): string {
  return AGENT_TOOLS.map(({ name }) => name).join(", ");
}

/** Error for an argument that the tool does not have, for tools whose call would ignore it. */
function unknownOf({ name, inputSchema }: AgentTool, given: ToolArguments): string | undefined {
  const known = Object.keys((inputSchema.properties ?? {}) as object);
  const wrong = Object.keys(given).find((argument) => !known.includes(argument));
  if (wrong === undefined) return undefined;
  const list = known.length === 0 ? "it takes none" : `known: ${known.join(", ")}`;
  return `UNKNOWN_PARAMETER: ${name} has no parameter ${JSON.stringify(wrong.slice(0, 64))} - ${list}`;
}

/** A refusal as the service puts it, with every problem and when to try again. */
function sentencesOf(error: SwapCallError): string {
  const problems = error.problems.filter(({ description }) => description !== error.message);
  return [
    `${error.reason}: ${error.message}`,
    ...problems.map(({ field, description }) => `${field}: ${description}`),
    ...(error.isRetryable ? [`Try again${after(error)}.`] : []),
    ...((error.requestId ?? "") === "" ? [] : [`request id: ${error.requestId}`]),
  ].join("\n");
}

function after({ retryAfterSeconds }: SwapCallError): string {
  return retryAfterSeconds === undefined ? "" : ` after ${retryAfterSeconds} s`;
}

function failed(text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
