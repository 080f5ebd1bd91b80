/** Every parser of foreign text, called as often as the time allows: it may refuse the text, but must neither throw nor be slow. */
import fc from "fast-check";
import { parseMediaFrame } from "@voice/streaming-host/transports/media/media-frame";
import { parseClientMessage } from "@voice/streaming-host/transports/parse-client-message";
import { parseEnvelope, parseMessage } from "@voice/streaming-host/transports/telephony/platform-messages";
import { matchStreamRoute } from "@voice/streaming-host/server/accept/stream-routes";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { atOnce } from "@voice/shared/platform/steps";
import { endpoints } from "@voice/shared/contracts/http/endpoints";
import { clientMessages, hookMessages, mediaFrames, queries, typedTexts } from "./corpus.ts";
import type { Figures } from "./figures.ts";
import { busyMs } from "@voice/streaming-host/testing/busy-ms";

/** Far beyond what any of them takes, and far below what a caller would notice as a fault of the service. */
const longestMs = 250;

export function attackParsers(figures: Figures, inputs: number): void {
  const texts = [...clientMessages, ...mediaFrames, ...hookMessages, ...typedTexts, ...sampleTexts(inputs)];
  const values = fc.sample(fc.anything({ withNullPrototype: true, maxDepth: 5 }), { numRuns: inputs, seed: 5 });
  const bodies = endpoints.map(({ body }) => body);
  for (const text of texts) {
    attempt(figures, "client message", () => parseClientMessage(text));
    attempt(figures, "media frame", () => parseMediaFrame(text));
    attempt(figures, "hook message", () => {
      const envelope = parseEnvelope(text);
      return envelope.ok ? parseMessage(envelope.value) : undefined;
    });
  }
  for (const query of [...queries, ...fc.sample(fc.webQueryParameters(), { numRuns: inputs, seed: 6 })])
    for (const path of ["/api/v1/browser/conversation", "/api/v1/media/stream", "/api/v1/telephony/stream"])
      attempt(figures, "address", () => matchStreamRoute(new URL(`http://host${path}?${query}`)));
  for (const [at, value] of values.entries()) {
    attempt(figures, "request body", () => bodies[at % bodies.length]?.safeParse(value));
    const own = { intents: { one: value }, fallback: value };
    attempt(figures, "rules", () => atOnce(catalogLanguage.compileRules({ own, common: {}, tools: [] })));
  }
}

function sampleTexts(inputs: number): readonly string[] {
  const kinds = fc.constantFrom("text", "config", "control", "open", "ping", "dtmf", "AudioData", "AudioMetadata");
  const message = fc
    .record({ type: kinds, kind: kinds, version: fc.constant("2"), seq: fc.nat(), parameters: fc.object() })
    .map((one) => JSON.stringify(one));
  return fc.sample(fc.oneof(message, fc.json(), fc.string()), { numRuns: inputs, seed: 7 });
}

function attempt(figures: Figures, parser: string, parse: () => unknown): void {
  figures.inputs += 1;
  const startedAtMs = busyMs();
  try {
    parse();
  } catch (error) {
    figures.unforeseen.push(`the parser of a ${parser} threw ${error instanceof Error ? error.message : "something"}`);
  }
  const tookMs = busyMs() - startedAtMs;
  if (tookMs > longestMs) figures.unforeseen.push(`the parser of a ${parser} took ${Math.round(tookMs)} ms`);
}
