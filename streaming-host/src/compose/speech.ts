/** The two halves of speech, each by the settings: the cloud's, a server's of OpenAI's protocol, or this machine's. */
import { partsOf } from "@voice/shared/config/parts";
import type { CreateVoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { ProviderParts } from "./provider-parts.ts";

export interface ComposedRecogniser {
  readonly name: string;
  readonly recogniser: Recogniser;
}

export interface ComposedSynthesiser {
  readonly name: string;
  readonly synthesiser: Synthesiser;
}

export async function composeRecogniser(
  parts: ProviderParts,
  createDetector: CreateVoiceActivityDetector,
): Promise<ComposedRecogniser> {
  const { settings, clock, logger, localSpeech } = parts;
  const part = partsOf(settings).recognition;
  if (part.kind === "own") {
    const [{ loadProvider }, { guardRecogniser }] = await Promise.all([
      import("../providers/own/load-provider.ts"),
      import("../providers/own/guard-recogniser.ts"),
    ]);
    const own = await loadProvider("recogniser", part.module, logger);
    return { name: own.name, recogniser: guardRecogniser(own.name, own.part) };
  }
  if (part.kind === "azure") {
    const { createAzureRecogniserFromSettings } = await import("../providers/azure/from-settings.ts");
    return { name: "azure", recogniser: createAzureRecogniserFromSettings(part.location, settings, parts) };
  }
  if (part.kind === "openai") {
    const { createOpenAiRecogniserFromSettings } = await import("../providers/openai/speech/from-settings.ts");
    return { name: "openai", recogniser: createOpenAiRecogniserFromSettings(part, settings, parts, createDetector) };
  }
  if (localSpeech !== undefined) return { name: "local", recogniser: (await localSpeech()).recogniser };
  const { composeLocalRecogniser } = await import("./local-speech.ts");
  return { name: "local", recogniser: await composeLocalRecogniser({ settings, clock, logger }) };
}

export async function composeSynthesiser(parts: ProviderParts): Promise<ComposedSynthesiser> {
  const { settings, clock, logger, localSpeech } = parts;
  const part = partsOf(settings).synthesis;
  if (part.kind === "own") {
    const [{ loadProvider }, { guardSynthesiser }] = await Promise.all([
      import("../providers/own/load-provider.ts"),
      import("../providers/own/guard-provider.ts"),
    ]);
    const own = await loadProvider("synthesiser", part.module, logger);
    return { name: own.name, synthesiser: guardSynthesiser(own.name, own.part) };
  }
  if (part.kind === "azure") {
    const { createAzureSynthesiserFromSettings } = await import("../providers/azure/from-settings.ts");
    return { name: "azure", synthesiser: createAzureSynthesiserFromSettings(part.location, settings, parts) };
  }
  if (part.kind === "openai") {
    const { createOpenAiSynthesiserFromSettings } = await import("../providers/openai/speech/from-settings.ts");
    return { name: "openai", synthesiser: createOpenAiSynthesiserFromSettings(part, settings, parts) };
  }
  if (localSpeech !== undefined && part.kind !== "model")
    return { name: "local", synthesiser: (await localSpeech()).synthesiser };
  const { composeLocalSynthesiser } = await import("./local-speech.ts");
  return { name: "local", synthesiser: await composeLocalSynthesiser({ settings, clock, logger }) };
}
