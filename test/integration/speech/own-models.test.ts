import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { createAzureRecogniser } from "@voice/streaming-host/providers/azure/recogniser";
import { createAzureSynthesiser } from "@voice/streaming-host/providers/azure/synthesiser";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../support/wait.ts";
import {
  createListener,
  recogniserOptions,
  recognitionOptions,
  say,
  speechKey,
  startSpeechService,
} from "./harness.ts";
import type { SpeechService } from "./harness.ts";
import { patientMs } from "./patience.ts";

let service: SpeechService;
const signal = new AbortController().signal;

beforeEach(async () => {
  service = await startSpeechService();
});

afterEach(() => service.emulator.close());

const context = () => service.emulator.connections.at(-1)?.bodies.get("speech.context");
const lastQuery = () => service.emulator.connections.at(-1)?.url.searchParams;

describe("a customer's own speech model", () => {
  it("is named to the service, and so is the segmentation by sense", async () => {
    const { endpoint } = service.emulator;
    const recogniser = createAzureRecogniser({
      ...recogniserOptions(endpoint),
      model: { endpointId: "my-model", segmentation: "semantic" },
    });
    const stream = await recogniser.open(recognitionOptions, createListener(), signal);
    expect(lastQuery()?.get("cid")).toBe("my-model");
    say(stream, 200, 400);
    await eventually(() => context() !== undefined, "the service is told how to segment");
    expect(context()).toContain('"mode":"Semantic"');
    stream.close();
    await recogniser.close();
  });

  it("hears the language of the agent that has the floor, and asks to be replaced for another one", async () => {
    const recogniser = createAzureRecogniser(recogniserOptions(service.emulator.endpoint));
    const hints = { examples: [], phrases: [], language: "de-DE" };
    const stream = await recogniser.open({ ...recognitionOptions, hints }, createListener(), signal);
    expect(lastQuery()?.get("language")).toBe("de-DE");
    expect(stream.setHints(hints)).toBe(true);
    expect(stream.setHints({ ...hints, language: "fr-FR" })).toBe(false);
    stream.close();
    await recogniser.close();
  });
});

describe("a customer's own voice", () => {
  it("is asked for at its deployment, and the usual ones are not", async () => {
    const { endpoint } = service.emulator;
    const synthesiser = createAzureSynthesiser({
      endpoint: { location: { kind: "host", url: endpoint }, credential: { kind: "key", key: speechKey } },
      warm: { size: 0, sampleRateHz: 16_000 },
      retry: { maxAttempts: 0, backoffFactor: 2, jitter: false },
      requestTimeoutMs: patientMs,
      clock: systemClock,
      logger: silentLogger,
    });
    const nobody = { onAudio: () => undefined, onWord: () => undefined };
    const request = { text: "Hello.", language: "en-US", sampleRateHz: 16_000 };
    await synthesiser.synthesise({ ...request, voice: { name: "Ada", endpointId: "my-voice" } }, nobody, signal);
    expect(lastQuery()?.get("deploymentId")).toBe("my-voice");
    await synthesiser.synthesise({ ...request, voice: { name: "en-US-AvaNeural" } }, nobody, signal);
    expect(lastQuery()?.has("deploymentId")).toBe(false);
    await synthesiser.close();
  });
});
