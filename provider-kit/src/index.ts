/* oxlint-disable oxc/no-barrel-file -- it is what a package of its own exports */
/** The published entry point for providers outside the repository (docs/models.md). */
export * from "./define-provider.ts";
export type * from "./ports/language-model.ts";
export type * from "./ports/realtime-model.ts";
export type * from "./ports/recogniser.ts";
export type * from "./ports/synthesiser.ts";
export type * from "./ports/voice-activity.ts";
export { emptyPool } from "./ports/empty-pool.ts";
export { AudioReader, UnreadableAudioError } from "./speech-answer/audio-reader.ts";
export { createResampler, isSampleRate } from "./audio/resample.ts";
export { decodeMulaw, encodeMulaw } from "./audio/mulaw.ts";
// The second name is that of the first release.
export type { ToolCall, ToolCall as ModelToolCall } from "@voice/shared/tools/tool-call";
export { VoiceError } from "@voice/shared/platform/errors";
