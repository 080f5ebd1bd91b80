/** Reads audio that is encoded as text: JSON that contains base64, a line of JSON for each piece, or server-sent events. */
import { VoiceError, explainedError } from "@voice/shared/platform/errors";
import { wordOf } from "@voice/shared/platform/foreign-facts";
import { parseJson } from "@voice/shared/platform/parse-json";
import { errorCodeIn, findAudio } from "./base64-audio.ts";

/** The response is text instead of audio. The next response may be audio again. */
export class TextInsteadOfAudioError extends VoiceError {
  constructor(service: string, what: string, code: unknown) {
    const reason = `${service} answered ${what} in place of audio (code ${wordOf(code) ?? "none"})`;
    super("upstream_unavailable", reason, { reason });
  }
}

/** Reads the bytes that are encoded in the text. */
export interface BytesReader {
  readonly found: string | undefined;
  write(bytes: Uint8Array): void;
  end(): void;
}

/** Five minutes of audio in base64, far more than one clause. */
const mostCharacters = 20 * 1024 * 1024;

export class TextAudioReader {
  readonly #service: string;
  readonly #mediaType: string;
  /** Creates a reader for the decoded bytes; they may have a header of their own. */
  readonly #createReader: (sampleRateHz: number | undefined) => BytesReader;
  readonly #decoder = new TextDecoder();
  #reader: BytesReader | undefined;
  /** Text that has arrived and was not read yet. */
  #text = "";
  /** The text up to here contains no line break. */
  #searched = 0;
  #isEvents = false;
  /** The first character that is not white space, once there is one. */
  #first = "";
  #errorCode: unknown;

  constructor(service: string, mediaType: string, createReader: (sampleRateHz: number | undefined) => BytesReader) {
    this.#service = service;
    this.#mediaType = mediaType;
    this.#createReader = createReader;
  }

  get container(): string {
    return this.#isEvents ? "events" : "JSON";
  }

  /** Undefined if no audio was found. */
  get found(): string | undefined {
    return this.#reader?.found;
  }

  write(bytes: Uint8Array): void {
    this.#text += this.#decoder.decode(bytes, { stream: true });
    if (this.#first === "") this.#begin();
    for (;;) {
      const end = this.#text.indexOf("\n", this.#searched);
      if (end === -1) break;
      // A document of several lines is not complete in its first; it is read at the end.
      const isRead = this.#readLine(this.#text.slice(0, end), false);
      if (!isRead && !this.#isEvents) {
        this.#searched = this.#text.length;
        break;
      }
      this.#text = this.#text.slice(end + 1);
      this.#searched = 0;
    }
    this.#searched = this.#text.length;
    if (this.#text.length > mostCharacters)
      throw explainedError("upstream_unavailable", `${this.#service} answered too much text`);
  }

  end(): void {
    this.#readLine(this.#text + this.#decoder.decode(), true);
    if (this.#reader === undefined) throw this.#failure(this.#what());
    this.#reader.end();
    if (this.#errorCode !== undefined) throw this.#failure("an error");
  }

  #begin(): void {
    const start = this.#text.replace(/^\uFEFF?\s*/, "");
    this.#first = start.slice(0, 1);
    if (start === "") return;
    this.#isEvents = this.#mediaType === "text/event-stream" || /^(?:data|event|id|retry)?:/.test(start);
  }

  /** Returns false if the line is not a complete piece. */
  #readLine(raw: string, isLast: boolean): boolean {
    const line = raw.replace(/^\uFEFF/, "").trim();
    const data = this.#isEvents ? /^data:\s*(.*)$/s.exec(line)?.[1] : line;
    if (data === undefined || data === "" || data === "[DONE]") return true;
    const json = parseJson(data);
    if (json === undefined && !this.#isEvents && !isLast) return false;
    const isFailure = isError(json);
    const audio = findAudio(json ?? data, !isFailure && (this.#isEvents || this.#reader !== undefined));
    if (audio !== undefined) {
      this.#reader ??= this.#createReader(audio.sampleRateHz);
      this.#reader.write(audio.bytes);
    } else if (isFailure) this.#errorCode ??= errorCodeIn(json) ?? "none";
    return true;
  }

  #failure(what: string): VoiceError {
    return new TextInsteadOfAudioError(this.#service, what, this.#errorCode);
  }

  #what(): string {
    const mediaType = this.#mediaType;
    if (this.#isEvents) return "events";
    if (this.#first === "{" || this.#first === "[") return "JSON";
    if (this.#first === "<") return "HTML";
    return mediaType === "" ? "text" : mediaType;
  }
}

const isError = (json: unknown): boolean =>
  typeof json === "object" && json !== null && ("error" in json || "detail" in json || "code" in json);
