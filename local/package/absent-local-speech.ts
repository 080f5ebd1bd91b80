/** Takes the place of the speech engines, and of the encoder of meanings, in a package without local speech. */
import { ConfigurationError } from "@voice/shared/config/configuration-error";

export function composeLocalRecogniser(): Promise<never> {
  return Promise.reject(absent("recognises"));
}

export function composeLocalSynthesiser(): Promise<never> {
  return Promise.reject(absent("speaks"));
}

/** The language model compares words alone. */
export function composeMeanings(): Promise<undefined> {
  return Promise.resolve(undefined);
}

function absent(does: string): ConfigurationError {
  return new ConfigurationError([
    `CLOUD_SPEECH_REGION, CLOUD_SPEECH_ENDPOINT or OPENAI_API_KEY: this package was made without the engine that ${does} ` +
      "locally (npm run package brings it along)",
  ]);
}
