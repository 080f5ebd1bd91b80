/** TURN-17's adapter with a thread of its own, and a runtime that stands in the model's folder as an installed one would. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSmartTurn } from "../../streaming-host/src/providers/smart-turn/smart-turn.ts";

/** Reads the model as a line of JSON: what it answers to loud and to quiet audio. */
const runtime = `
  class Tensor { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } }
  const InferenceSession = {
    async create(bytes) {
      const model = JSON.parse(Buffer.from(bytes).toString());
      return {
        inputNames: ["input_features"],
        outputNames: ["logits"],
        async run({ input_features: { type, data, dims } }) {
          if (type !== "float32" || dims.join() !== "1,80,800" || data.length !== 64_000) throw new Error("wrong shape");
          const isLoud = data.slice(-800).some((value) => value > 0.3);
          return { logits: { data: Float32Array.of(isLoud ? model.loud : model.quiet) } };
        },
      };
    },
  };
  module.exports = { env: { wasm: {} }, InferenceSession, Tensor };
`;

const neverAborted = new AbortController().signal;
let folder = "";

async function writeModel(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

const silence = new Int16Array(16_000);
const noise = Int16Array.from({ length: 16_000 }, (_, at) => ((at * 7919) % 20_000) - 10_000);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "end-of-turn-"));
  const installed = join(folder, "with", "node_modules", "onnxruntime-web");
  await mkdir(installed, { recursive: true });
  await writeFile(join(installed, "index.js"), runtime);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("end-of-turn model", () => {
  it("[TURN-17a] judges audio in a thread of its own, and has no time for more than wait already", async () => {
    const model = await createSmartTurn(
      await writeModel("with/model.onnx", '{"loud":0.75,"quiet":0.25}'),
      systemClock,
      silentLogger,
    );
    try {
      expect(await model.judge(noise, neverAborted)).toBe(0.75);
      expect(await model.judge(silence, neverAborted)).toBe(0.25);
      const many = await Promise.all(Array.from({ length: 40 }, () => model.judge(silence, neverAborted)));
      expect(new Set(many)).toEqual(new Set([0.25, undefined]));
      const aborted = AbortSignal.abort(new Error("the caller has gone on"));
      await expect(model.judge(silence, aborted)).rejects.toThrow("the caller has gone on");
    } finally {
      await model.close();
    }
  });

  it("[TURN-17c] says what the model does wrong", async () => {
    const modelFile = await writeModel("with/odd.onnx", '{"loud":7,"quiet":0.5}');
    const model = await createSmartTurn(modelFile, systemClock, silentLogger);
    try {
      await expect(model.judge(noise, neverAborted)).rejects.toMatchObject({ code: "upstream_unavailable" });
      expect(await model.judge(silence, neverAborted)).toBe(0.5);
    } finally {
      await model.close();
    }
  });

  it("[TURN-17d] says at start which file cannot be read, or what has to be installed where", async () => {
    const missing = join(folder, "nowhere.onnx");
    await expect(createSmartTurn(missing, systemClock, silentLogger)).rejects.toThrow(
      `END_OF_TURN_MODEL_FILE names ${missing}, which cannot be read`,
    );
    const alone = await writeModel("alone.onnx", "{}");
    await expect(createSmartTurn(alone, systemClock, silentLogger)).rejects.toThrow(
      `END_OF_TURN_MODEL_FILE needs an ONNX runtime beside the model: run "npm install onnxruntime-node" in ${folder}`,
    );
  });

  it("[TURN-17d] does not start with a model that its runtime cannot read", async () => {
    const modelFile = await writeModel("with/broken.onnx", "no model");
    await expect(createSmartTurn(modelFile, systemClock, silentLogger)).rejects.toMatchObject({
      code: "dependency_not_ready",
    });
  });
});
