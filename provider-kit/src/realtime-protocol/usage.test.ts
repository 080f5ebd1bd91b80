import { expect, it } from "vitest";
import { parseServerEvent } from "./server-events.ts";

const names = { betaName: (name: string) => name };
const parse = (event: object) => parseServerEvent(JSON.stringify(event), names);

it("[COST-1b] tells text, audio and cached tokens of a response apart", () => {
  const usage = {
    total_tokens: 253,
    input_tokens: 132,
    output_tokens: 121,
    input_token_details: {
      text_tokens: 119,
      audio_tokens: 13,
      cached_tokens: 64,
      cached_tokens_details: { text_tokens: 60, audio_tokens: 4 },
    },
    output_token_details: { text_tokens: 30, audio_tokens: 91 },
  };
  expect(parse({ type: "response.done", response: { id: "r", status: "completed", usage } })).toEqual({
    type: "response-finished",
    responseId: "r",
    status: "completed",
    usage: {
      inputTokens: 132,
      outputTokens: 121,
      cachedTokens: 64,
      audioInputTokens: 13,
      cachedAudioTokens: 4,
      audioOutputTokens: 91,
    },
  });
});

it("takes a usage without details, and one whose details are of another kind than today's", () => {
  for (const input_token_details of [undefined, null, "many", { audio_tokens: "13" }])
    expect(
      parse({
        type: "response.done",
        response: { id: "r", usage: { input_tokens: 1, output_tokens: 2, input_token_details } },
      }),
    ).toMatchObject({ type: "response-finished", usage: { inputTokens: 1, outputTokens: 2 } });
});

it.each([
  [{ type: "duration", seconds: 3.5 }, { audioSeconds: 3.5 }],
  [
    { type: "tokens", total_tokens: 22, input_tokens: 13, output_tokens: 9, input_token_details: { audio_tokens: 13 } },
    { inputTokens: 13, outputTokens: 9, audioInputTokens: 13 },
  ],
  [{ type: "something new" }, undefined],
])("[COST-1b] reads what a transcription cost: %j", (usage, expected) => {
  const type = "conversation.item.input_audio_transcription.completed";
  expect(parse({ type, item_id: "i", transcript: " Hello ", usage })).toEqual({
    type: "user-transcript-finished",
    itemId: "i",
    text: "Hello",
    usage: expected,
  });
});
