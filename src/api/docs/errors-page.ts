import { codesText, ERROR_CASES } from "../errors/error-cases.ts";
import { reasonsOf } from "../errors/refusal-reasons.ts";
import { VIOLATION_REASONS } from "../errors/violation-reasons.ts";
import { htmlPage, htmlTable, paragraphs, withCode } from "./html-page.ts";

/** Every refusal as one HTML page. Its sections have the ids that `docs` of a refusal leads to. */
export function errorsPage(): string {
  const kinds = Object.keys(ERROR_CASES);
  const links = [
    `<a href="/">Console</a>`,
    `<a href="/docs">API</a>`,
    ...kinds.map((kind) => `<a href="#${kind.toLowerCase()}">${kind}</a>`),
    `<a href="#items">Items of validationErrors</a>`,
  ];
  const items = VIOLATION_REASONS.map(({ reason, code, when }) => row(`<code>${reason}</code>`, code, withCode(when)));
  const body = `${paragraphs(INTRODUCTION)}
${Object.entries(ERROR_CASES).map(sectionOf).join("\n")}
<section id="items"><h2>Items of validationErrors</h2>${htmlTable(["reason", "code", "when"], items)}</section>`;
  return htmlPage({ title: "Errors", links, body });
}

function sectionOf([kind, it]: [string, (typeof ERROR_CASES)[keyof typeof ERROR_CASES]]): string {
  const reasons = reasonsOf(kind).map(([reason, meaning]) => row(`<code>${reason}</code>`, withCode(meaning)));
  return `<section id="${kind.toLowerCase()}">
<h2>${kind}</h2>
<p><small>HTTP ${it.httpStatus}, code ${it.code}, gRPC ${codesText(it)}</small></p>
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
