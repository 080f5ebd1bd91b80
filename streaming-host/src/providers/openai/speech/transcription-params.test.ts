import { describe, expect, it } from "vitest";
import { dialectOf, toTranscriptionParams } from "./transcription-params.ts";

const heard = { language: "en-US", candidateLanguages: [], hints: { phrases: ["Priya Raman", "Savings Plus"] } };

describe("what is sent with the audio", () => {
  it.each([
    [
      "gpt-transcribe",
      { stream: true, languages: ["en"], keywords: ["Priya Raman", "Savings Plus"], response_format: "json" },
    ],
    [
      "gpt-4o-mini-transcribe",
      {
        stream: true,
        language: "en",
        prompt: "Priya Raman, Savings Plus",
        include: ["logprobs"],
        response_format: "json",
      },
    ],
    [
      "Systran/faster-whisper-large-v3",
      { language: "en", prompt: "Priya Raman, Savings Plus", temperature: 0, response_format: "verbose_json" },
    ],
  ])("is what %s takes", (model, params) => {
    expect(toTranscriptionParams(heard, dialectOf(model))).toEqual(params);
  });

  it("names several languages where the caller may speak one of them, or leaves the model to find out", () => {
    const either = { ...heard, candidateLanguages: ["de-DE"] };
    expect(toTranscriptionParams(either, "keywords")).toMatchObject({ languages: ["en", "de"] });
    expect(toTranscriptionParams(either, "segments")).not.toHaveProperty("language");
  });

  it("is in the language of the agent that has the floor", () => {
    const german = { ...heard, hints: { ...heard.hints, language: "de-DE" } };
    expect(toTranscriptionParams(german, "plain")).toMatchObject({ language: "de" });
  });
});
