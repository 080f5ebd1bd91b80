/**
 * The settings are invalid or incomplete. One line per problem, worded for the person who set them, without secrets.
 */
import { VoiceError } from "../platform/errors.ts";

export class ConfigurationError extends VoiceError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super("internal_error", ["The settings need attention:", ...problems].join("\n  "), { retryable: false });
    this.problems = problems;
  }
}
