/** Asks an emulated OpenAI endpoint what a session would ask it. */
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import type { OpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import type { ModelEvent, ModelRequest } from "@voice/provider-kit/ports/language-model";
import { createOpenAiLanguageModel } from "@voice/streaming-host/providers/openai/language-model";
import type { OpenAiLanguageModelOptions } from "@voice/streaming-host/providers/openai/language-model";

export function modelAt({ baseUrl }: OpenAiEmulator, options: Partial<OpenAiLanguageModelOptions> = {}) {
  return createOpenAiLanguageModel({
    endpoint: baseUrl,
    credential: { kind: "key", key: "correct-key" },
    retry: { maxAttempts: 2, backoffFactor: 2, jitter: false },
    clock: systemClock,
    logger: silentLogger,
    ...options,
  });
}

export function createRequest(fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    agent: { name: "concierge", templateVars: {} },
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Where is my order?" },
    ],
    tools: [],
    settings: { deploymentId: "gpt-primary" },
    memory: {},
    ...fields,
  };
}

export type Outcome = { readonly events: readonly ModelEvent[]; readonly error?: unknown };

export async function collect(stream: AsyncIterable<ModelEvent>): Promise<Outcome> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of stream) events.push(event);
    return { events };
  } catch (error) {
    return { events, error };
  }
}

export function textOf({ events }: Outcome): string {
  return events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
}
