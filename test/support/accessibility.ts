/** The violations that axe finds on a page by the rules of WCAG 2.2 at level AA. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { z } from "zod";

const findings = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

/** As text for the page alone: this process has no document. Half as long as what the package exports, and so read in two thirds of the time. */
const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** One line for each place. The page's content security policy lets nothing be added to it, so the rules go past it. */
export async function accessibilityViolations(page: Page): Promise<readonly string[]> {
  // Half of the time is reading axe, so it is read once for a document.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const options = JSON.stringify({ runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] });
  const found = await page.evaluate(`axe.run(document, ${options}).then(({ violations }) => violations)`);
  return findings.parse(found).flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
