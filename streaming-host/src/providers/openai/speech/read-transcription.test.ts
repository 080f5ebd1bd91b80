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
});
