/** Writes text and voice as an SSML document. All input is spoken as text: nothing in it becomes markup. */
import { isHighDefinition } from "@voice/provider-kit/voices/high-definition";
import type { SynthesisRequest } from "@voice/provider-kit/ports/synthesiser";

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
  const isPlain = isHighDefinition(name);
  const { style, rate, pitch } = isPlain ? {} : voice;
  const spoken = wrap("prosody", { rate, pitch }, escapeXml(text));
  const styled = wrap("mstts:express-as", { style }, spoken);
  // For a personal voice the model takes the place of the voice, and the name is the speaker profile of the person.
  const speaking =
    personalModel === undefined ? styled : wrap("mstts:ttsembedding", { speakerProfileId: name }, styled);
  // Personal voices and those of high definition support only some elements.
  const pause = personalModel === undefined && !isPlain ? pauseAfterClause : "";
  const voiced = `<voice name="${escapeXml(personalModel ?? name)}">${pause}${speaking}</voice>`;
  return (
    `<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xmlns:mstts="http://www.w3.org/2001/mstts"` +
    ` xml:lang="${escapeXml(language)}">${voiced}</speak>`
  );
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
