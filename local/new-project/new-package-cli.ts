/** `voice-agents new NAME`: creates a project outside of this repository that depends on the packaged service. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { servicePackage } from "../package/service-manifest.ts";
import { makePackage } from "./make-project.ts";
import { runNewProject } from "./run-new-project.ts";

const help = `Makes a project: agents, a tool in code, a scenario, dialogues, and a package.json that depends on this service.

  voice-agents new pizza-desk                ./pizza-desk
  voice-agents new baeckerei --language de   agents that speak German (en, de, fr or es)

A name is of small letters, digits and single hyphens.`;

const manifest = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  version: z.string().optional(),
});

await runNewProject({
  name: "voice-agents new",
  help,
  make: (project) => makePackage({ ...project, service: specOfService() }),
  next: (path) => `Next:\n\n  cd ${path}\n  npm install\n  npm test\n  npm start`,
});

/** As this package was installed itself: from a file, an address, or a registry. */
function specOfService(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const installation = resolve(here, "../..");
  const installed = readManifest(`${installation}/package.json`)?.dependencies[servicePackage];
  const [, file] = /^file:(.*)$/.exec(installed ?? "") ?? [];
  if (file !== undefined) return `file:${resolve(installation, file)}`;
  return installed ?? `^${readManifest(`${here}/package.json`)?.version ?? "1.0.0"}`;
}

function readManifest(file: string): z.infer<typeof manifest> | undefined {
  return existsSync(file) ? manifest.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
}
