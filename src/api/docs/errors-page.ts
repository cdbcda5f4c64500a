import { ERROR_REFERENCE, type ErrorEntry, VIOLATION_REFERENCE } from "../errors/error-reference.ts";
import { htmlPage, htmlTable, paragraphs, withCode } from "./html-page.ts";

/** Every refusal as one HTML page. Its sections have the ids that `docs` of a refusal leads to. */
export function errorsPage(): string {
  const links = [
    `<a href="/">Console</a>`,
    `<a href="/docs">API</a>`,
    ...ERROR_REFERENCE.map(({ kind }) => `<a href="#${kind.toLowerCase()}">${kind}</a>`),
    `<a href="#items">Items of validationErrors</a>`,
  ];
  const items = VIOLATION_REFERENCE.map(({ reason, code, when }) =>
    row(`<code>${reason}</code>`, code, withCode(when)),
  );
  const body = `${paragraphs(INTRODUCTION)}
${ERROR_REFERENCE.map(sectionOf).join("\n")}
<section id="items"><h2>Items of validationErrors</h2>${htmlTable(["reason", "code", "when"], items)}</section>`;
  return htmlPage({ title: "Errors", links, body });
}

function sectionOf({ kind, ...it }: ErrorEntry): string {
  const reasons = it.reasons.map(({ reason, when }) => row(`<code>${reason}</code>`, withCode(when)));
  return `<section id="${kind.toLowerCase()}">
<h2>${kind}</h2>
<p><small>HTTP ${it.httpStatus}, code ${it.code}, gRPC ${it.rpcCodes}</small></p>
${paragraphs(it.when)}${paragraphs(it.advice)}
${reasons.length > 0 ? htmlTable(["<code>reason</code>", "when"], reasons) : ""}
</section>`;
}

function row(...cells: readonly (string | number)[]): string {
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

const INTRODUCTION = `\`reason\` is a constant that never changes, \`description\` a sentence for people. \`validationErrors\`
(code 100 only) names every problem of the request at once. Connect and gRPC carry the same in \`google.rpc.ErrorInfo\`,
\`BadRequest\`, \`RetryInfo\` and \`QuotaFailure\`. Every answer has the header \`x-request-id\`.`;
