/** The two files that document the settings are written from the schema: `vitest run -u settings-document`. */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { namesOf } from "./aliases.ts";
import { loadSettings } from "./load.ts";
import { namedSettings, type NamedSetting } from "./settings.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The values that the Functions runtime itself expects in the file. */
const runtimeValues = { AzureWebJobsStorage: "", FUNCTIONS_WORKER_RUNTIME: "node" };

function exampleOf(settings: readonly NamedSetting[]): string {
  const values = Object.fromEntries(settings.map(({ name, fallback }) => [name, fallback ?? ""]));
  return `${JSON.stringify({ IsEncrypted: false, Values: { ...runtimeValues, ...values } }, undefined, 2)}\n`;
}

function line({ name, about, says, fallback, secret }: NamedSetting): string {
  const facts = [says];
  if (fallback !== undefined && fallback !== "") facts.push(`default \`${fallback}\``);
  if (secret) facts.push("secret");
  const aliases = namesOf(name).slice(1);
  if (aliases.length > 0) facts.push(`also ${aliases.map((alias) => `\`${alias}\``).join(", ")}`);
  return `- \`${name}\` (${facts.join("; ")}). ${about}`;
}

function pageOf(settings: readonly NamedSetting[]): string {
  const areas = [...new Set(settings.map(({ area }) => area))];
  const sections = areas.map((area) => {
    const lines = settings.filter((setting) => setting.area === area).map(line);
    return `## ${area}\n\n${lines.join("\n")}\n`;
  });
  return `# Settings

Environment variables, read once at start; an empty one counts as not set. \`local.settings.example.json\` has them all with
their defaults. A bad value, half a configured part (an endpoint without its deployment) and, with
\`ENVIRONMENT=production\`, a missing service stop the start with one line each. A name that is nearly a setting's is named in the log at the start, and
by \`npm run doctor\`. Without any of them everything runs on this machine.

${sections.join("\n")}`;
}

describe("settings documentation", () => {
  it("has every setting in the example file", async () => {
    await expect(exampleOf(namedSettings)).toMatchFileSnapshot(`${root}local.settings.example.json`);
  });

  it("describes every setting on its page", async () => {
    await expect(pageOf(namedSettings)).toMatchFileSnapshot(`${root}docs/settings.md`);
  });

  it("gives an example that changes nothing", () => {
    const file = z.object({ Values: z.record(z.string(), z.string()) });
    const { Values } = file.parse(JSON.parse(exampleOf(namedSettings)));
    expect(loadSettings(Values)).toEqual(loadSettings({}));
  });
});
