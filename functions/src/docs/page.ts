/** The page at /docs: one file without a network dependency, drawn from the two documents beside it. */
import { createHash } from "node:crypto";
import { pageScript } from "./page-script.ts";
import { pageStyle } from "./page-style.ts";

export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Voice agent service: API</title>
<style>${pageStyle}</style>
</head>
<body>
<header>
<h1>Voice agent service</h1>
<p id="about">Loading the description…</p>
<label>Access token <input id="token" type="password" autocomplete="off" placeholder="only where authentication is on"></label>
<label>Filter <input id="filter" type="search" placeholder="path or words"></label>
<p><a href="#" id="openapi-link">openapi.json</a> · <a href="#" id="asyncapi-link">asyncapi.json</a></p>
</header>
<main id="operations"></main>
<noscript>This page needs JavaScript; the documents linked above do not.</noscript>
<script>${pageScript}</script>
</body>
</html>
`;

/** Nothing but this page's own style and script runs, and nothing but this origin is called. */
export const docsPageHeaders = {
  "content-security-policy": [
    "default-src 'none'",
    `style-src ${hashOf(pageStyle)}`,
    `script-src ${hashOf(pageScript)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "referrer-policy": "no-referrer",
};

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
