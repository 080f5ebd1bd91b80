/** A user's own voice model: one of 500 bytes, which the real runtime runs, and folders that are none. */
import { mkdir, rename, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { readVoiceModel } from "@voice/local-voice/voice-model/voice-model-folder";
import { speak, synthesiserContract } from "@voice/provider-kit/contracts/synthesiser.contract";
import { tinyVoiceProperties, tinyVoiceRateHz, writeTinyVoice } from "../support/tiny-voice.ts";

const folders: string[] = [];

async function tinyVoice(properties?: Readonly<Record<string, string>>): Promise<string> {
  const folder = await writeTinyVoice(properties);
  folders.push(folder);
  return folder;
}

afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
});

synthesiserContract({
  name: "a voice model of one's own",
  create: async () => createLocalSynthesiser({ voiceModelDir: await tinyVoice() }),
});

describe("a voice model of one's own", () => {
  it("speaks each letter of the text at the rate that is requested, and times its words [SPEECH-30]", async () => {
    const synthesiser = await createLocalSynthesiser({ voiceModelDir: await tinyVoice() });
    const { samples, words } = await speak(synthesiser, "hello there");
    expect(samples.length / tinyVoiceRateHz).toBeCloseTo(11 * 0.05, 1);
    expect(words).toMatchObject([{ textOffset: 0 }, { textOffset: 6, endMs: 550 }]);
    await synthesiser.close();
  });

  it("says what is missing in a folder that is none [SPEECH-31]", async () => {
    const problem = async (folder: string): Promise<string> =>
      readVoiceModel(folder).then(
        () => "none",
        (error: unknown) => (error instanceof Error ? error.message : ""),
      );
    expect(await problem(await tinyVoice())).toBe("none");
    expect(await problem("/no/such/folder")).toContain(
      "VOICE_MODEL_DIR names /no/such/folder, which is no voice model: it cannot be read",
    );
    const { sample_rate: _, ...others } = tinyVoiceProperties;
    expect(await problem(await tinyVoice({ ...others, sample_rate: "" }))).toContain("lacks the property sample_rate");
    expect(await problem(await tinyVoice({ model_type: "matcha" }))).toContain('of the kind "matcha"');
    expect(await problem(await tinyVoice({ comment: "piper", frontend: "" }))).toContain("has no espeak-ng-data");

    const part = await tinyVoice();
    await truncate(join(part, "tiny.onnx"), 200);
    expect(await problem(part)).toContain("no ONNX model (or only a part of one)");

    const phonetic = await tinyVoice({ comment: "piper", frontend: "" });
    await mkdir(join(phonetic, "espeak-ng-data"));
    expect(await problem(phonetic)).toContain("espeak-ng-data without phontab, phonindex, phondata, intonations");

    const kokoro = await tinyVoice({ model_type: "kokoro", has_espeak: "1", style_dim: "510,1,256" });
    await writeFile(join(kokoro, "voices.bin"), "short");
    expect(await problem(kokoro)).toContain("a voices.bin of 5 bytes, where its model needs 522240");

    const pipers = await tinyVoice();
    await rename(join(pipers, "tokens.txt"), join(pipers, "tiny.onnx.json"));
    expect(await problem(pipers)).toContain('take the folder "vits-piper-…" of the same voice');
    await writeFile(join(pipers, "second.onnx"), "");
    expect(await problem(pipers)).toContain("has several .onnx files");
    await rm(join(pipers, "tiny.onnx"));
    await rm(join(pipers, "second.onnx"));
    expect(await problem(pipers)).toContain("has no .onnx file");
  });
});
