import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { readTranscription } from "./read-transcription.ts";

const client = new OpenAI({ apiKey: "k", logLevel: "off" });

async function read(events: readonly object[] | object) {
  const isStream = Array.isArray(events);
  const body = isStream
    ? `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`
    : JSON.stringify(events);
  const contentType = isStream ? "text/event-stream; charset=utf-8" : "application/json";
  const soFar: string[] = [];
  const response = new Response(body, { headers: { "content-type": contentType } });
  return { ...(await readTranscription(response, client, (text) => void soFar.push(text))), soFar };
}

describe("a transcription", () => {
  it("is read from OpenAI's events, with how sure the model is", async () => {
    const events = [
      { type: "transcript.text.delta", delta: "Lost my" },
      { type: "transcript.text.delta", delta: " card." },
      { type: "transcript.text.done", text: "Lost my card.", logprobs: [{ logprob: -0.2 }, { logprob: -0.4 }] },
    ];
    expect(await read(events)).toEqual({
      text: "Lost my card.",
      meanLogprob: expect.closeTo(-0.3),
      soFar: ["Lost my", "Lost my card."],
    });
  });

  it("is read from vLLM's chunks and from segments of text", async () => {
    const chunks = [{ choices: [{ delta: { content: "Lost " } }] }, { choices: [{ delta: { content: "it" } }] }];
    expect(await read(chunks)).toMatchObject({ text: "Lost it" });
    expect(await read([{ text: "Lost " }, { text: "it" }])).toMatchObject({ text: "Lost it" });
  });

  it.each([
    ["gpt-transcribe", { text: "Hallo.", languages: [{ code: "de" }] }],
    ["whisper-1", { text: "Hallo.", language: "german" }],
    ["most other servers", { text: "Hallo.", language: "de" }],
  ])("[LANG-13] has the language as %s names it", async (_server, answer) => {
    expect(await read(answer)).toMatchObject({ text: "Hallo.", language: "de" });
    expect(await read([{ type: "transcript.text.done", text: "Hallo.", languages: [{ code: "de" }] }])).toMatchObject({
      language: "de",
    });
  });

  it("is one object where the server does not stream", async () => {
    expect(await read({ text: " Lost it. " })).toMatchObject({ text: "Lost it.", meanLogprob: undefined });
  });

  it("goes without the segments that Whisper itself takes for silence", async () => {
    const segments = [
      { text: " My card is gone.", avg_logprob: -0.2, no_speech_prob: 0.05 },
      { text: " Thanks for watching!", avg_logprob: -1.3, no_speech_prob: 0.9 },
    ];
    expect(await read({ text: "all", segments })).toMatchObject({ text: "My card is gone.", meanLogprob: -0.2 });
  });

  const answer = (body: string, contentType = "application/json") =>
    readTranscription(new Response(body, { headers: { "content-type": contentType } }), client, () => undefined);

  it.each([
    ['{"text":""}', ""],
    ['{"text":" [BLANK_AUDIO]\\n"}', ""],
    ['{"text":"Hello.","segments":{"segments":[{"text":" Hello."}],"word_segments":[]}}', "Hello."],
    [
      '{"text":"Hello.","segments":[{"text":" Hello.","avg_logprob":null,"no_speech_prob":"?"}],"logprobs":"none"}',
      "Hello.",
    ],
    ['{"segments":[{"text":" Hello."},{"text":" (music)"}]}', "Hello."],
    ['"Hello World!"', "Hello World!"],
    ['\uFEFF{"text":"Hello."}', "Hello."],
  ])("[SPEECH-7] is what the server says in %s", async (body, text) => {
    expect(await answer(body)).toMatchObject({ text });
    expect(await answer(body, "text/plain")).toMatchObject({ text });
  });

  it.each([
    ["Hello there.\n", "text/plain; charset=utf-8"],
    ["1\n00:00:00,000 --> 00:00:01,000\nHello there.\n", "application/x-subrip"],
    ["[00:00:00.000 --> 00:00:01.000]  Hello there.", "text/plain"],
    ["WEBVTT\n\n00:00.000 --> 00:01.000\nHello there.\n", "text/vtt"],
  ])("[SPEECH-7] is plain text where the server answers so: %s", async (body, contentType) => {
    expect(await answer(body, contentType)).toMatchObject({ text: "Hello there." });
  });

  it.each([
    ['{"text":null}', "application/json", "JSON without a text"],
    ["{}", "application/json", "JSON without a text"],
    ['{"error":{"message":"Hello Ada","code":"model_loading"}}', "application/json", "(code model_loading)"],
    ['{"detail":"Hello Ada"}', "application/json", "JSON without a text"],
    ['{"text":"Hel', "application/json", "JSON that is cut off"],
    ["[]", "application/json", "in place of a text"],
    ["null", "application/json", "application/json in place"],
    ["", "application/json", "nothing"],
    ["", "text/plain", "nothing"],
    ["<html>Bad gateway</html>", "text/html", "HTML"],
    ["<html>Bad gateway</html>", "text/plain", "HTML"],
    ["Hello Ada", "application/json", "application/json in place"],
    ["data: [DONE]\n\n", "text/event-stream", "events without words"],
  ])("[SPEECH-7] is not known where the server answers %s", async (body, contentType, reason) => {
    const failure = await answer(body, contentType).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "upstream_unavailable", retryable: true });
    expect(String(failure)).toContain(reason);
    expect(String(failure)).not.toContain("Ada");
  });
});
