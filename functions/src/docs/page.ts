/** The page at /docs: one answer without a network dependency, drawn from the two documents beside it. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";

let page: ReturnType<typeof readPage> | undefined;

/** Read at the first request, because most processes never show the page. */
export function docsPage() {
  return (page ??= readPage());
}

/** The browser's script and style. In a bundle they are files beside it. */
async function readPage() {
  const beside = new URL("docs-page/", import.meta.url);
  const isBundle = existsSync(beside);
  const folder = isBundle ? beside : new URL("../../docs-page/", import.meta.url);
  /** The console's, too. */
  const tokens = isBundle
    ? new URL("tokens.css", beside)
    : new URL("../../../shared/styles/tokens.css", import.meta.url);
  const files = ["schema-view.js", "script.js", "style.css"].map((name) => new URL(name, folder));
  const [schemaView = "", main = "", own = "", shared = ""] = await Promise.all(
    [...files, tokens].map((file) => readFile(file, "utf8")),
  );
  const script = asOneModule(schemaView, main);
  const style = `${shared}\n${own}`;
  return { text: pageOf(script, style), headers: headersOf(script, style) };
}

/** The page is a single response, so its modules are concatenated into one script. */
function asOneModule(...modules: readonly string[]): string {
  return modules.map((text) => text.replaceAll(/^import [^;]+;\n/gm, "").replaceAll(/^export /gm, "")).join("\n");
}

function pageOf(script: string, style: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Voice agent service: API</title>
<style>${style}</style>
</head>
<body>
<header class="header">
<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M8 14v4M12 10v12M16 6.5v19M20 10v12M24 14v4"/></svg>
<h1>Voice agent service</h1>
<nav aria-label="Related">
<a href="/">Console</a>
<a href="#" id="openapi-link">openapi.json</a>
<a href="#" id="asyncapi-link">asyncapi.json</a>
</nav>
</header>
<main>
<p id="about">Loading the description…</p>
<div class="fields">
<label>Filter <input id="filter" type="search" placeholder="path or words"></label>
<label>Access token <input id="token" type="password" autocomplete="off" placeholder="only where authentication is on"></label>
</div>
<div id="operations"></div>
</main>
<noscript>This page needs JavaScript; the documents linked above do not.</noscript>
<script type="module">${script}</script>
</body>
</html>
`;
}

/** Only this page's own style and script may run, and only this origin may be called. */
function headersOf(script: string, style: string): Readonly<Record<string, string>> {
  return {
    "content-security-policy": [
      "default-src 'none'",
      `style-src ${hashOf(style)}`,
      `script-src ${hashOf(script)}`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    "referrer-policy": "no-referrer",
  };
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
