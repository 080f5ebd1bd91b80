/** Before the first `session.update`, as the service's reference shows it (Voice Live API 2026-04-10, `session.created`). */
export const sessionDefaults = {
  modalities: ["text", "audio"],
  instructions: "",
  voice: { type: "openai", name: "alloy" },
  input_audio_format: "pcm16",
  output_audio_format: "pcm16",
  input_audio_sampling_rate: 24_000,
  turn_detection: { type: "server_vad", threshold: 0.5, prefix_padding_ms: 300, silence_duration_ms: 500 },
  temperature: 0.8,
  max_response_output_tokens: "inf",
};
