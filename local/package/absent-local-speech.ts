/** Stands in a package without local speech where its engines would be. */
import { ConfigurationError } from "@voice/shared/config/configuration-error";

export function composeLocalSpeech(): Promise<never> {
  return Promise.reject(
    new ConfigurationError([
      "CLOUD_SPEECH_REGION or CLOUD_SPEECH_ENDPOINT: this package was made without the engines of local speech " +
        "(npm run package brings them along)",
    ]),
  );
}
