/** Bundles the libraries that code in TOOLS_DIR may import without installing them, as files in the package. */
import path from "node:path";
import { build } from "esbuild";
import { fileOfHostPackage, hostPackages, hostPackagesFolder } from "@voice/shared/tools/code/host-packages";
import { pathOf } from "./build-options.ts";

/** Each is bundled whole, because the copy inside the service's own bundle has only what the service uses. */
export async function packageForOwnCode(out: string): Promise<void> {
  for (const name of hostPackages)
    await build({
      entryPoints: [name],
      absWorkingDir: pathOf("shared"),
      outfile: path.join(out, hostPackagesFolder, fileOfHostPackage(name)),
      bundle: true,
      platform: "node",
      target: "node22",
      format: "esm",
      minifyWhitespace: true,
      minifySyntax: true,
      logLevel: "warning",
    });
}
