import { type ApiDocument, type Operation, type Parameter, type Schema, typeName } from "./document.ts";
import { htmlPage, htmlTable, htmlText, paragraphs } from "./html-page.ts";

/** The reference as one HTML page. */
export function docsPage({ info, paths, components }: ApiDocument): string {
  const operations = Object.entries(paths);
  const schemas = Object.entries(components.schemas);
  const links = [
    `<a href="/">Console</a>`,
    ...operations.map(([path, { get }]) => `<a href="#${get.operationId}">${htmlText(path)}</a>`),
    ...schemas.map(([name]) => `<a href="#${name}">${name}</a>`),
    `<a href="/docs/errors">Errors</a>`,
    `<a href="/openapi.json">openapi.json</a>`,
  ];
  const body = `${paragraphs(info.description)}
<p>gRPC, gRPC-Web and Connect serve the same service, <code>swap.v1.SwapService</code>, on the same port; server
reflection tells tools its schema.</p>
${operations.map(([path, { get }]) => operationSection(path, get)).join("\n")}
<h2>Messages</h2>
${schemas.map(([name, schema]) => schemaSection(name, schema)).join("\n")}`;
  return htmlPage({ title: `${info.title} API`, links, body });
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
${operation.parameters.length === 0 ? "" : htmlTable(["parameter", "type", "meaning"], operation.parameters.map(parameterRow))}
${htmlTable(["status", "body", "when"], answers)}
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
  return `<section id="${name}"><h3>${name}</h3>${paragraphs(schema.description ?? "")}${htmlTable(["field", "type", "meaning"], rows)}</section>`;
}

function link(schema: Schema): string {
  const inner = schema.items ?? schema.oneOf?.[0] ?? schema;
  const target = inner.$ref?.split("/").at(-1);
  return target === undefined ? typeName(schema) : `<a href="#${target}">${typeName(schema)}</a>`;
}
