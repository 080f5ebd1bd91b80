/**
 * The provider kit as a package that `npm pack` takes: what providers are written with, and the suites of tests that
 * they have to pass. Everything of the service that it uses is in it, so that it needs nothing else to run.
 */
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { pathOf } from "./build-options.ts";
import { copyDeclarations, readManifest } from "./copy-declarations.ts";

/** What is imported from the package, and the file that it is. */
const entries = { index: "index", contracts: "contracts/published.contract" } as const;

/** Resolves to a description of its content. */
export async function packageProviderKit(out: string): Promise<string> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await build({
    entryPoints: Object.fromEntries(
      Object.entries(entries).map(([name, file]) => [name, pathOf(`provider-kit/src/${file}.ts`)]),
    ),
    outdir: out,
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20",
    format: "esm",
    external: ["vitest"],
    logLevel: "warning",
  });
  const files = Object.values(entries);
  const copied = await copyDeclarations("provider-kit", files, path.join(out, "types"));
  const { version, license } = await readManifest();
  const described = {
    name: "@voice/provider-kit",
    version,
    description: "What speech and model providers of your own are written with, outside the voice agent service.",
    license,
    type: "module",
    exports: Object.fromEntries(
      Object.entries(entries).map(([name, file]) => [
        name === "index" ? "." : `./${name}`,
        { types: `./types/provider-kit/${file}.d.ts`, default: `./${name}.js` },
      ]),
    ),
    // zod: for types of what agents and tools are.
    peerDependencies: { vitest: ">=3", zod: "^4.0.0" },
    peerDependenciesMeta: { vitest: { optional: true }, zod: { optional: true } },
  };
  await writeFile(path.join(out, "package.json"), `${JSON.stringify(described, undefined, 2)}\n`);
  await cp(pathOf("LICENSE"), path.join(out, "LICENSE"));
  return `${Object.keys(entries).length} entry points, ${copied} declarations`;
}
