/** Writes the commit into a package: COMMIT where the environment names one (an image is built without git), else git's. */
import type { Plugin } from "esbuild";
import { commit } from "@voice/shared/platform/build";

export async function stampCommit(): Promise<Plugin> {
  const named = process.env["COMMIT"];
  const stamp = named === undefined || named === "" ? await commit() : named;
  return {
    name: "stamp-commit",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]shared[\\/]src[\\/]platform[\\/]build\.ts$/ }, () => ({
        contents: `const stamp = Promise.resolve(${JSON.stringify(stamp)}); export const commit = () => stamp;`,
      }));
    },
  };
}
