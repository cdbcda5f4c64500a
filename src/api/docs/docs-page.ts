import { type ApiDocument, type Operation, type Parameter, type Schema, typeName } from "./document.ts";

/** The reference as one HTML page that loads nothing from anywhere. */
export function docsPage({ info, paths, components }: ApiDocument): string {
  const operations = Object.entries(paths);
  const schemas = Object.entries(components.schemas);
  const links = [
    ...operations.map(([path, { get }]) => `<a href="#${get.operationId}">${htmlText(path)}</a>`),
    ...schemas.map(([name]) => `<a href="#${name}">${name}</a>`),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${info.title} API</title>
<style>${STYLE}</style>
</head>
<body>
<nav aria-label="Contents"><a href="/">Console</a>${links.join("")}<a href="/docs/errors">Errors</a><a href="/openapi.json">openapi.json</a></nav>
<main>
<h1>${info.title} API</h1>
${paragraphs(info.description)}
<p>gRPC, gRPC-Web and Connect serve the same service, <code>swap.v1.SwapService</code>, on the same port; server
reflection tells tools its schema.</p>
${operations.map(([path, { get }]) => operationSection(path, get)).join("\n")}
<h2>Messages</h2>
${schemas.map(([name, schema]) => schemaSection(name, schema)).join("\n")}
</main>
</body>
</html>
`;
}

function operationSection(path: string, operation: Operation): string {
  const query = operation.parameters.filter(({ example }) => example !== undefined);
  const search = new URLSearchParams(
    query.map(({ name, example }): [string, string] => [name, String(example)]),
  ).toString();
  const request = `curl -s -H 'api-key: <key>' 'http://127.0.0.1:8080${path}${search === "" ? "" : `?${search}`}'`;
  const answers = Object.entries(operation.responses).map(([status, { description, content }]) => {
    const types = Object.entries(content).map(([type, { schema }]) => `${link(schema)} <small>${type}</small>`);
    return `<tr><td><code>${status}</code></td><td>${types.join(", ")}</td><td>${paragraphs(description)}</td></tr>`;
  });
  const examples = Object.values(operation.responses)
    .flatMap(({ content }) => Object.values(content))
    .filter(({ example }) => example !== undefined)
    .map(
      ({ example }) =>
        `<details><summary>Answer</summary><pre>${htmlText(JSON.stringify(example, null, 2))}</pre></details>`,
    );
  return `<section id="${operation.operationId}">
<h2><small>GET</small> ${htmlText(path)}</h2>
${paragraphs(operation.description)}
<pre>${htmlText(request)}</pre>
${examples.join("")}
${operation.parameters.length === 0 ? "" : table(["parameter", "type", "meaning"], operation.parameters.map(parameterRow))}
${table(["status", "body", "when"], answers)}
</section>`;
}

function parameterRow({ name, required, description, schema }: Parameter): string {
  const must = required ? " <small>required</small>" : "";
  return `<tr><td><code>${name}</code>${must}</td><td>${link(schema)}</td><td>${paragraphs(description)}</td></tr>`;
}

function schemaSection(name: string, schema: Schema): string {
  const rows = Object.entries(schema.properties ?? {}).map(
    ([field, it]) =>
      `<tr><td><code>${field}</code></td><td>${link(it)}</td><td>${paragraphs(it.description ?? "")}</td></tr>`,
  );
  return `<section id="${name}"><h3>${name}</h3>${paragraphs(schema.description ?? "")}${table(["field", "type", "meaning"], rows)}</section>`;
}

function table(head: readonly string[], rows: readonly string[]): string {
  const cells = head.map((cell) => `<th scope="col">${cell}</th>`).join("");
  return `<div class="wide"><table><thead><tr>${cells}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function link(schema: Schema): string {
  const inner = schema.items ?? schema.oneOf?.[0] ?? schema;
  const target = inner.$ref?.split("/").at(-1);
  return target === undefined ? typeName(schema) : `<a href="#${target}">${typeName(schema)}</a>`;
}

function paragraphs(text: string): string {
  return text
    .split("\n\n")
    .filter((part) => part !== "")
    .map((part) => `<p>${htmlText(part).replace(/`([^`]+)`/g, "<code>$1</code>")}</p>`)
    .join("");
}

function htmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dde3, #2b333d); --soft: light-dark(#f4f6f8, #161b22); }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; border-right: 1px solid var(--line); display: flex; flex-direction: column; gap: .25rem; }
main { padding: 1rem 2rem 4rem; max-width: 70rem; }
a { color: light-dark(#0b5cad, #79b8ff); text-decoration: none; } a:hover { text-decoration: underline; }
h2 { margin-top: 3rem; } small { color: light-dark(#57606a, #9aa4af); font-weight: normal; }
p { margin: .25rem 0; } code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { background: var(--soft); padding: .75rem; overflow: auto; border-radius: 6px; }
.wide { overflow-x: auto; margin: 1rem 0; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; border: 0; } main { padding: 1rem; } }
`;
