/** Voices worth offering in a list; any other name of the speech service works as well. */
export const availableVoices = {
  turbo_voices: [
    "en-US-AlloyTurboMultilingualNeural",
    "en-US-EchoTurboMultilingualNeural",
    "en-US-FableTurboMultilingualNeural",
    "en-US-NovaTurboMultilingualNeural",
    "en-US-OnyxTurboMultilingualNeural",
    "en-US-ShimmerTurboMultilingualNeural",
  ],
  standard_voices: [
    "en-US-AndrewMultilingualNeural",
    "en-US-AvaMultilingualNeural",
    "en-US-BrianMultilingualNeural",
    "en-US-EmmaMultilingualNeural",
    "en-US-GuyNeural",
    "en-US-JennyNeural",
  ],
  /** The voices of realtime models (`@azure/ai-voicelive`, `KnownOAIVoice`). */
  realtime_voices: ["alloy", "ash", "ballad", "cedar", "coral", "echo", "marin", "sage", "shimmer", "verse"],
  hd_voices: [
    "en-US-Andrew:DragonHDLatestNeural",
    "en-US-Ava:DragonHDLatestNeural",
    "en-US-Brian:DragonHDLatestNeural",
    "en-US-Emma:DragonHDLatestNeural",
  ],
};
