/** A log that remembers its lines, with the fields of the loggers above. */
import type { LogFields, Logger, LogLevel } from "@voice/shared/platform/logger";

interface Line {
  readonly level: LogLevel;
  readonly sentence: string;
  readonly fields: LogFields;
}

export class RecordedLog implements Logger {
  readonly lines: Line[];
  readonly #fields: LogFields;

  constructor(lines: Line[] = [], fields: LogFields = {}) {
    this.lines = lines;
    this.#fields = fields;
  }

  debug(fields: LogFields, sentence: string): void {
    this.#add("debug", fields, sentence);
  }

  info(fields: LogFields, sentence: string): void {
    this.#add("info", fields, sentence);
  }

  warn(fields: LogFields, sentence: string): void {
    this.#add("warn", fields, sentence);
  }

  error(fields: LogFields, sentence: string): void {
    this.#add("error", fields, sentence);
  }

  child(fields: LogFields): RecordedLog {
    return new RecordedLog(this.lines, { ...this.#fields, ...fields });
  }

  /** The lines about one session, from `info` on. */
  of(sessionId: string | undefined): Omit<Line, "level">[] {
    return this.lines
      .filter(({ level, fields }) => level !== "debug" && fields["sessionId"] === sessionId)
      .map(({ sentence, fields }) => ({ sentence, fields }));
  }

  #add(level: LogLevel, fields: LogFields, sentence: string): void {
    this.lines.push({ level, sentence, fields: { ...this.#fields, ...fields } });
  }
}
