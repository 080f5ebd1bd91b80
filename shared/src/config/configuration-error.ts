/** The settings do not make a service. One line per problem, written for the person who set them; no secret in any. */
import { VoiceError } from "../platform/errors.ts";

export class ConfigurationError extends VoiceError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super("internal_error", ["The settings need attention:", ...problems].join("\n  "), { retryable: false });
    this.problems = problems;
  }
}
