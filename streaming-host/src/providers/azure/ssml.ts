/** Writes text and voice as an SSML document. All input is spoken as text: nothing in it becomes markup. */
import { abilitiesOf } from "@voice/provider-kit/voices/voice-abilities";
import type { SynthesisRequest, Voice } from "@voice/provider-kit/ports/synthesiser";

/** Every character that XML 1.0 cannot contain at all, including lone surrogates; escaping would not help. */
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/**
 * The duration of silence after the last word. By default it is about 800 ms (microsoft/cognitive-services-speech-sdk-js#691), after every
 * clause, and callers start to speak in it after the last one. 200 ms correspond to a breath.
 */
const pauseAfterClause = '<mstts:silence type="Tailing-exact" value="200ms"/>';

export function toSsml({ text, voice, language }: Omit<SynthesisRequest, "sampleRateHz">): string {
  const { name, personalModel } = voice;
  const voiced =
    personalModel === undefined
      ? `<voice name="${escapeXml(name)}">${inVoice(text, voice)}</voice>`
      : `<voice name="${escapeXml(personalModel)}">${asPerson(text, voice)}</voice>`;
  return (
    `<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xmlns:mstts="http://www.w3.org/2001/mstts"` +
    ` xml:lang="${escapeXml(language)}">${voiced}</speak>`
  );
}

function inVoice(text: string, { name, style, rate, pitch }: Voice): string {
  const { takesStyle, takesProsody, takesSilence } = abilitiesOf(name);
  const spoken = wrap("prosody", takesProsody ? { rate, pitch } : {}, escapeXml(text));
  return (takesSilence ? pauseAfterClause : "") + wrap("mstts:express-as", takesStyle ? { style } : {}, spoken);
}

/**
 * A personal voice: its name is the speaker profile of the person. Of style and prosody it takes the rate, and not every model takes silence
 * (Microsoft, "Use personal voice in your application", supported SSML elements).
 */
function asPerson(text: string, { name, rate }: Voice): string {
  return wrap("mstts:ttsembedding", { speakerProfileId: name }, wrap("prosody", { rate }, escapeXml(text)));
}

export function escapeXml(text: string): string {
  return text.replaceAll(forbidden, " ").replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character);
}

/** The element, or nothing if it would have no attributes. */
function wrap(element: string, attributes: Readonly<Record<string, string | undefined>>, content: string): string {
  const present = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [` ${name}="${escapeXml(value)}"`],
  );
  return present.length === 0 ? content : `<${element}${present.join("")}>${content}</${element}>`;
}
