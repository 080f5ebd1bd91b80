/** The functions app without node_modules. The Functions worker provides `@azure/functions-core`; everything else is inside. */
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import type { Plugin } from "esbuild";
import { oldestNode } from "@voice/shared/config/require-node";
import { places } from "../../functions/src/places.ts";
import { buildOptions, describeBundle, pathOf, type PackageOptions } from "./build-options.ts";
import { demoToolsEntry, packageCatalog } from "./packaged-catalog.ts";
import { packageForOwnCode } from "./package-for-own-code.ts";
import { packageOwn } from "./package-own.ts";
import { writeNotice } from "./write-notice.ts";

/** The list of routes as data: the modules that it is derived from are needed only by the first request. */
export const placesAsData: Plugin = {
  name: "places-as-data",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]functions[\\/]src[\\/]places\.ts$/ }, () => ({
      contents: `export const places = ${JSON.stringify(places)};`,
    }));
  },
};

/** Resolves to a description of its size. */
export async function packageFunctions(options: PackageOptions): Promise<string> {
  const { out } = options;
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const { metafile } = await build({
    ...(await buildOptions(options, [placesAsData])),
    entryPoints: { main: pathOf("functions/src/main.ts"), ...demoToolsEntry },
    // The worker provides this module; it exists only there.
    external: ["@azure/functions-core"],
  });
  await packageCatalog(out);
  await packageForOwnCode(out);
  await packageOwn(out);
  await cp(pathOf("host.json"), path.join(out, "host.json"));
  for (const name of ["schema-view.js", "script.js", "style.css"])
    await cp(pathOf(`functions/docs-page/${name}`), path.join(out, "docs-page", name));
  await cp(pathOf("shared/styles/tokens.css"), path.join(out, "docs-page/tokens.css"));
  const manifest = {
    name: "voice-agent-functions",
    private: true,
    type: "module",
    main: "main.mjs",
    engines: { node: `>=${oldestNode}` },
  };
  await writeFile(path.join(out, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await writeNotice(out, metafile);
  return describeBundle(metafile, "main.mjs");
}
