/**
 * What one of Azure's voices accepts beside text, as far as its name tells. The service ignores the rest, or refuses the document (Microsoft,
 * "High definition voices", "OpenAI text to speech voices" and "MAI-Voice": supported SSML elements).
 */
interface VoiceAbilities {
  readonly takesStyle: boolean;
  /** Rate and pitch. */
  readonly takesProsody: boolean;
  /** A silence of a chosen length after the words. */
  readonly takesSilence: boolean;
  readonly hasWordTimes: boolean;
}

const everything = { takesStyle: true, takesProsody: true, takesSilence: true, hasWordTimes: true };
const nothing = { takesStyle: false, takesProsody: false, takesSilence: false, hasWordTimes: false };

/** `en-US-AlloyMultilingualNeural`; the names with `Turbo` in them are Azure's own. */
const ofOpenAi = /-(?:Alloy|Echo|Fable|Onyx|Nova|Shimmer)MultilingualNeural(?:HD)?$/i;

export function abilitiesOf(voiceName: string): VoiceAbilities {
  const model = voiceName.split(":")[1];
  if (model === undefined) return ofOpenAi.test(voiceName) ? nothing : everything;
  // Voices whose name has a model choose tone and pace from the text.
  if (/^DragonHDOmni/i.test(model)) return { ...nothing, takesStyle: true, hasWordTimes: true };
  return { ...nothing, takesStyle: /^MAI-Voice/i.test(model) };
}
