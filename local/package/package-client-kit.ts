/** The client kit as a package that `npm pack` takes: for browsers and Node, with React hooks and the element. It depends on nothing. */
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { pathOf } from "./build-options.ts";
import { copyDeclarations, readManifest } from "./copy-declarations.ts";

/** What is imported from the package, and the file that it is. */
const entries = {
  index: "index",
  react: "react/use-voice-agent",
  element: "element/voice-agent-element",
} as const;
/** They are packaged beside the code, because it loads them by a relative URL. */
const worklets = { "voice-agent-worklets": "audio/worklets" } as const;

/** Resolves to a description of its content. */
export async function packageClientKit(out: string): Promise<string> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await build({
    entryPoints: Object.fromEntries(
      Object.entries({ ...entries, ...worklets }).map(([name, file]) => [name, pathOf(`client-kit/src/${file}.ts`)]),
    ),
    outdir: out,
    bundle: true,
    splitting: true,
    platform: "browser",
    target: "es2022",
    format: "esm",
    external: ["react"],
    logLevel: "warning",
  });
  const copied = await copyDeclarations("client-kit", Object.values(entries), path.join(out, "types"));
  const { version, license } = await readManifest();
  const described = {
    name: "@voice/client-kit",
    version,
    description:
      "A client of the voice agent service's conversations, for browsers and Node, with React hooks and an element.",
    license,
    type: "module",
    sideEffects: ["./element.js", "./voice-agent-worklets.js"],
    exports: {
      ...Object.fromEntries(
        Object.entries(entries).map(([name, file]) => [
          name === "index" ? "." : `./${name}`,
          { types: `./types/client-kit/${file}.d.ts`, default: `./${name}.js` },
        ]),
      ),
      "./voice-agent-worklets.js": "./voice-agent-worklets.js",
    },
    peerDependencies: { react: ">=18" },
    peerDependenciesMeta: { react: { optional: true } },
  };
  await writeFile(path.join(out, "package.json"), `${JSON.stringify(described, undefined, 2)}\n`);
  await cp(pathOf("LICENSE"), path.join(out, "LICENSE"));
  return `${Object.keys(entries).length} entry points, ${copied} declarations`;
}
