/** Twilio's requests to us: forms, signed as the account's (twilio.com/docs/usage/security), each sent once (webhooks are not retried by default). */
import { twilioSignature, twilioSignatureHeader } from "@voice/shared/calls/twilio/signature";

export interface SentWebhook {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly status: number;
}

/** "Twilio waits 15 seconds for a response" (twilio.com/docs/usage/webhooks). */
const answerTimeoutMs = 15_000;

export class TwilioWebhooks {
  /** In the order in which they were answered. */
  readonly sent: SentWebhook[] = [];
  /** For tests: reports about these are never sent. */
  readonly lost = new Set<string>();
  readonly #authToken: string;
  readonly #signal: AbortSignal;

  constructor(authToken: string, signal: AbortSignal) {
    this.#authToken = authToken;
    this.#signal = signal;
  }

  /** Resolves with the body of the answer; undefined if there is no answer, or if it is not a success. */
  async ask(url: string, fields: Readonly<Record<string, string>>): Promise<string | undefined> {
    const { status, text } = await this.#post(url, fields);
    return status === 200 ? text : undefined;
  }

  async report(url: string, fields: Readonly<Record<string, string>>): Promise<void> {
    if (this.lost.has(fields["CallStatus"] ?? "") || this.lost.has(fields["StreamEvent"] ?? "")) return;
    await this.#post(url, fields);
  }

  signatureOf(url: string, fields: Readonly<Record<string, string>> = {}): string {
    return twilioSignature(this.#authToken, url, Object.entries(fields));
  }

  async #post(url: string, fields: Readonly<Record<string, string>>) {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { [twilioSignatureHeader]: this.signatureOf(url, fields), "user-agent": "TwilioProxy/1.1" },
        body: new URLSearchParams(fields),
        signal: AbortSignal.any([this.#signal, AbortSignal.timeout(answerTimeoutMs)]),
      });
      const text = await response.text();
      this.sent.push({ url, fields, status: response.status });
      return { status: response.status, text };
    } catch {
      this.sent.push({ url, fields, status: 0 });
      return { status: 0, text: "" }; // nobody is there: Twilio logs error 11200
    }
  }
}
