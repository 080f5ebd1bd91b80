/** `<voice-agent>` as pages of any origin load it: one script, and the audio worklets beside it. */
import { join } from "node:path";
import { build } from "esbuild";

const kit = join(import.meta.dirname, "../../client-kit/src");

/** The names are part of the contract: pages have them in their script tags. */
export const elementFiles = ["voice-agent.js", "voice-agent-worklets.js"] as const;

export async function buildElement(outFolder: string): Promise<void> {
  await build({
    entryPoints: {
      "voice-agent": join(kit, "element/voice-agent-element.ts"),
      "voice-agent-worklets": join(kit, "audio/worklets.ts"),
    },
    outdir: outFolder,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    // `light-dark()` and sheets of a shadow root need newer browsers than this.
    target: "es2022",
    legalComments: "none",
    logLevel: "warning",
  });
}
