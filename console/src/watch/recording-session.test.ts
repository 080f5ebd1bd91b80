import { encodeWav } from "@voice/provider-kit/audio/wav";
import { describe, expect, it } from "vitest";

import { ApiProblem } from "../api/api-problem.ts";
import { RecordingSession } from "./recording-session.ts";
import type { RecordingSessionOptions } from "./recording-session.ts";

const wavOf = (samples: number) =>
  Uint8Array.from(encodeWav({ sampleRateHz: 8000, channels: 2, samples: new Int16Array(samples) }));

async function load(answers: Partial<RecordingSessionOptions["api"]>) {
  const released: string[] = [];
  const session = new RecordingSession({
    api: {
      recording: () => Promise.resolve(new Response(wavOf(1600))),
      ...answers,
    },
    createUrl: ({ size }) => `blob of ${size}`,
    revokeUrl: (url) => void released.push(url),
  });
  await session.load("session-1");
  return { session, state: session.store.get(), released };
}

/** A body that ends in the way that a lost connection ends it. */
function brokenBody(): Response {
  let isFirst = true;
  const body = new ReadableStream({
    pull(controller) {
      if (isFirst) controller.enqueue(wavOf(1600));
      else controller.error(new TypeError("network error"));
      isFirst = false;
    },
  });
  return new Response(body);
}

describe("a recording", () => {
  it("is ready with its waveform, and is released when it is left", async () => {
    const { session, state, released } = await load({});
    expect(state).toMatchObject({
      kind: "ready",
      url: "blob of 3244",
      waveform: { durationMs: 100 },
    });
    session.forget();
    expect(released).toEqual(["blob of 3244"]);
  });

  it.each([
    ["is no WAV file", new Response("<!doctype html>".padEnd(100)), "no WAV file", "reload the page"],
    ["is empty", new Response(""), "no WAV file", "reload the page"],
    ["has no sound yet", new Response(wavOf(0)), "Nothing has been stored", "a few seconds"],
    ["breaks off in the middle", brokenBody(), "The connection broke", "while it was loading"],
  ])("that %s is said to be so, with what to do", async (_what, response, what, toDo) => {
    const { state } = await load({ recording: () => Promise.resolve(response) });
    expect(state).toMatchObject({ kind: "failed", problem: expect.stringContaining(what) });
    expect(state).toMatchObject({ problem: expect.stringContaining(toDo) });
  });

  it.each([
    [
      "is not in the storage",
      new ApiProblem(404, { type: "not_found", detail: "No such recording." }),
      "The System page",
    ],
    [
      "nobody may hear",
      new ApiProblem(403, { type: "forbidden", detail: "It is somebody else's." }),
      "somebody else's",
    ],
    ["nobody answers for", new TypeError("Failed to fetch"), "does not answer"],
  ])("that %s is explained", async (_what, error, words) => {
    const { state } = await load({ recording: () => Promise.reject(error) });
    expect(state).toMatchObject({ kind: "failed", problem: expect.stringContaining(words) });
  });
});
