/**
 * A telephone network on this machine: the communication service's emulator with simulated phones behind it, the settings
 * that make the service use it, and the calls that people make from their phones.
 */
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import { reportUrl, voiceUrl } from "@voice/shared/calls/twilio/addresses";
import { incomingCallUrl } from "@voice/shared/calls/webhook-urls";
import { VoiceError } from "@voice/shared/platform/errors";
import { createLocalRecogniser } from "@voice/local-voice/recogniser/local-recogniser";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { LocalSpeech } from "@voice/streaming-host/compose/provider-parts";
import { startCommEmulator } from "./emulators/comm/emulator.ts";
import type { CommEmulator, CommEmulatorOptions } from "./emulators/comm/emulator.ts";
import { PlatformCall } from "./emulators/telephony/platform-call.ts";
import type { PlatformKey } from "./emulators/telephony/sign-request.ts";
import { startTwilioEmulator } from "./emulators/twilio/emulator.ts";
import type { TwilioEmulator } from "./emulators/twilio/emulator.ts";
import { withExamples } from "./emulators/with-examples.ts";
import type { Handset } from "./phone/handset.ts";
import { createBrowserPhones } from "./phone/browser-phones.ts";
import type { BrowserPhones } from "./phone/browser-phones.ts";
import { createPhoneBook, phoneNumbers } from "./phone/phone-book.ts";
import type { PhoneBook } from "./phone/phone-book.ts";
import { speakText } from "./person/line-audio.ts";
import { createPhoneControls } from "./phone/phone-controls.ts";
import type { PhoneEvent, PhoneScript } from "./phone/phone-script.ts";
import { readAlong } from "./phone/read-along.ts";
import type { ReadableState } from "./phone/read-along.ts";
import { ScriptedPhone } from "./phone/scripted-phone.ts";

type EmulatorOptions = Pick<
  CommEmulatorOptions,
  "port" | "ringMs" | "deliveryFaults" | "incomingCallCopies" | "incomingCallRetries"
>;

export interface PhoneNetworkOptions extends EmulatorOptions {
  /** Where the service will be: its HTTP API, and its WebSockets where they are elsewhere. */
  readonly baseUrl: string;
  readonly streamingHostUrl?: string | undefined;
  /** The secret in the address of incoming calls. Without it, anybody on this machine can send the service an incoming call. */
  readonly webhookSecret?: string | undefined;
  readonly clock?: Clock;
  /** The service whose protocol it speaks; Azure Communication Services if absent. */
  readonly service?: "azure" | "twilio" | undefined;
  /** The voice of the person at the phone. */
  readonly voice?: string;
  /** What the telephony platform presents. */
  readonly platformKey?: PlatformKey | undefined;
  /** Engines that are already running; where absent, the network starts its own when they are first needed. */
  readonly localSpeech?: (() => Promise<LocalSpeech>) | undefined;
  /** What people may say: with this the network can transcribe calls by itself. */
  readonly sentences?: (() => readonly string[]) | undefined;
}

const defaultVoice = "slt";
/** The behaviour of a person who did not expect a call: picks up, listens, and waits. */
const surprised: PhoneScript = { actions: [], pickUpAfterMs: 1500, staysOnTheLine: true };

/** Answers for a person who is out. */
const absent: PhoneScript = {
  actions: [],
  pickUpAfterMs: 1500,
  machine: {
    greeting:
      "Hello. You have reached the number of Pat Smith. I am not at home. Please leave a message after the tone.",
    beeps: true,
  },
};

/** The person that callers are transferred to when they ask for one. */
const colleague: PhoneScript = {
  actions: [
    {
      kind: "say",
      text: "Hello, this is Robin. I am a person, and I know what you were talking about. How can I help?",
    },
    { kind: "say", text: "Thank you. I will take care of that. Goodbye." },
  ],
  pickUpAfterMs: 1500,
  patienceMs: 2500, // before the first word, and while the other side thinks of an answer
  voice: "rms",
};

type OnPhoneEvent = (event: PhoneEvent) => void;

export async function startLocalPhoneNetwork(options: PhoneNetworkOptions): Promise<PhoneNetwork> {
  const network = new PhoneNetwork(options);
  await network.start();
  return network;
}

export class PhoneNetwork {
  readonly #options: PhoneNetworkOptions;
  readonly #clock: Clock;
  readonly #book: PhoneBook;
  /** Phones in pages of the service that is called: their sockets connect to the server that sent the pages. */
  readonly browserPhones: BrowserPhones;
  #emulator: CommEmulator | undefined;
  #twilio: TwilioEmulator | undefined;
  #synthesiser: Promise<Synthesiser> | undefined;
  #recogniser: Promise<Recogniser> | undefined;
  #state: ReadableState | undefined;

  constructor(options: PhoneNetworkOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.browserPhones = createBrowserPhones((from, to, phone) => this.#dial(from, to, phone));
    this.#book = createPhoneBook(
      () => this.#createPhone(surprised),
      () => this.#createPhone(absent),
      () => this.#createPhone(colleague),
      () => this.browserPhones.latest(),
    );
  }

  async start(): Promise<void> {
    const { port, ringMs, deliveryFaults, incomingCallCopies, incomingCallRetries, sentences, baseUrl } = this.#options;
    const also = createPhoneControls({
      serviceUrl: baseUrl,
      call: (script, onEvent) => this.call(script, onEvent),
      expectCall: (script, onEvent) => this.expectCall(script, onEvent),
      callThroughPlatform: (script, onEvent) => this.callThroughPlatform(script, onEvent),
    });
    if (this.#options.service === "twilio") {
      const answeredBy = (number: string): string => (number === phoneNumbers.machine ? "machine_start" : "human");
      const directory = this.#book.find;
      this.#twilio = await startTwilioEmulator({ port, ringMs, clock: this.#clock, directory, answeredBy, also });
      return;
    }
    this.#emulator = await startCommEmulator({
      ...(port === undefined ? {} : { port }),
      ...(ringMs === undefined ? {} : { ringMs }),
      ...(deliveryFaults === undefined ? {} : { deliveryFaults }),
      ...(incomingCallCopies === undefined ? {} : { incomingCallCopies }),
      ...(incomingCallRetries === undefined ? {} : { incomingCallRetries }),
      clock: this.#clock,
      directory: this.#book.find,
      recogniser: sentences && (() => this.#recogniserOf(sentences)),
      also,
    });
  }

  get emulator(): CommEmulator {
    if (this.#emulator === undefined) throw new VoiceError("internal_error", "the telephone network has not started");
    return this.#emulator;
  }

  /** Used in place of `emulator` if the network is Twilio's. */
  get twilio(): TwilioEmulator {
    if (this.#twilio === undefined) throw new VoiceError("internal_error", "the telephone network is not Twilio's");
    return this.#twilio;
  }

  /** Where the network is. */
  get url(): string {
    return (this.#twilio ?? this.emulator).url;
  }

  #dial(from: string, to: string, phone: Handset) {
    return (this.#twilio ?? this.emulator).dial(from, to, phone);
  }

  /** Environment variables that make the service use this network. */
  get environment(): Readonly<Record<string, string>> {
    const { baseUrl, streamingHostUrl, sentences } = this.#options;
    if (this.#twilio !== undefined)
      return {
        BASE_URL: baseUrl,
        ...(streamingHostUrl === undefined ? {} : { STREAMING_HOST_URL: streamingHostUrl }),
        TWILIO_ACCOUNT_SID: this.#twilio.accountSid,
        TWILIO_AUTH_TOKEN: this.#twilio.authToken,
        TWILIO_API_URL: this.#twilio.url,
        COMM_PHONE_NUMBER: phoneNumbers.service,
      };
    const { connectionString, resourceId, issuer, jwksUrl, url } = this.emulator;
    return {
      BASE_URL: baseUrl,
      ...(streamingHostUrl === undefined ? {} : { STREAMING_HOST_URL: streamingHostUrl }),
      COMM_CONNECTION_STRING: connectionString,
      COMM_PHONE_NUMBER: phoneNumbers.service,
      COMM_RESOURCE_ID: resourceId,
      COMM_JWT_ISSUER: issuer,
      COMM_JWKS_URL: jwksUrl,
      COMM_PLAYOUT_BUFFER_MS: "0", // these phones play audio at once
      ...(this.#options.webhookSecret === undefined ? {} : { COMM_WEBHOOK_SECRET: this.#options.webhookSecret }),
      ...(sentences === undefined ? {} : { COMM_COGNITIVE_ENDPOINT: url }),
    };
  }

  /**
   * To be called once the service is listening: asks it whether it wants incoming calls. With its state, the phones can
   * also tell what the service understood and said.
   */
  async connect(state?: ReadableState): Promise<void> {
    this.#state = state;
    const { baseUrl, webhookSecret } = this.#options;
    if (this.#twilio !== undefined) {
      this.#twilio.configureNumber(phoneNumbers.service, voiceUrl(baseUrl), reportUrl(baseUrl, "call"));
      return;
    }
    const commWebhookSecrets = webhookSecret === undefined ? undefined : [webhookSecret];
    await this.emulator.subscribe(incomingCallUrl(baseUrl, { commWebhookSecrets }));
  }

  /** Gives a phone to somebody who takes the next call of the service, and does this. */
  expectCall(script: PhoneScript, onEvent?: OnPhoneEvent): ScriptedPhone {
    const phone = this.#createPhone(script, onEvent);
    this.#book.expect(phone);
    script.leaves?.addEventListener("abort", () => this.#book.forget(phone));
    return phone;
  }

  /** Somebody calls the service; resolves when that call is over. */
  async call(script: PhoneScript, onEvent?: OnPhoneEvent): Promise<ScriptedPhone> {
    const phone = this.#createPhone(script, onEvent);
    const dialled = await this.#dial(phoneNumbers.person, phoneNumbers.service, phone);
    script.leaves?.addEventListener("abort", () => dialled.hangUp("phone"));
    if (script.leaves?.aborted === true) dialled.hangUp("phone");
    await dialled.isFree;
    return phone;
  }

  /** Somebody calls a telephony platform that has our agents answer; resolves when that call is over. */
  async callThroughPlatform(script: PhoneScript, onEvent?: OnPhoneEvent): Promise<ScriptedPhone> {
    const { streamingHostUrl, baseUrl, platformKey: key } = this.#options;
    const phone = this.#createPhone(script, onEvent);
    const url = new URL("/api/v1/telephony/stream", streamingHostUrl ?? baseUrl);
    url.protocol = url.protocol.replace("http", "ws");
    const { person: from, service: to } = phoneNumbers;
    const platformCall = new PlatformCall({ url, from, to, phone, clock: this.#clock, key });
    await platformCall.ended;
    const [fault] = platformCall.faults;
    if (fault !== undefined) throw new VoiceError("upstream_unavailable", `the telephony platform complains: ${fault}`);
    return phone;
  }

  async close(): Promise<void> {
    this.browserPhones.close();
    await this.#emulator?.close();
    await this.#twilio?.close();
    await (await this.#synthesiser)?.close();
    await (await this.#recogniser)?.close();
  }

  #createPhone(script: PhoneScript, onEvent?: OnPhoneEvent): ScriptedPhone {
    const voice = script.voice ?? this.#options.voice ?? defaultVoice;
    return new ScriptedPhone({
      script,
      clock: this.#clock,
      onEvent,
      speakText: async (text, sampleRateHz) => {
        return speakText(await this.#synthesiserNow(), { text, voice, sampleRateHz });
      },
      readAlong: async (callId, onLine, over) => {
        if (this.#state !== undefined) await readAlong(this.#state, callId, onLine, over);
      },
    });
  }

  #synthesiserNow(): Promise<Synthesiser> {
    const { localSpeech } = this.#options;
    this.#synthesiser ??=
      localSpeech === undefined
        ? createLocalSynthesiser({ clock: this.#clock })
        : localSpeech().then(({ synthesiser }) => synthesiser);
    return this.#synthesiser;
  }

  async #recogniserOf(sentences: () => readonly string[]): Promise<Recogniser> {
    const { localSpeech } = this.#options;
    this.#recogniser ??=
      localSpeech === undefined
        ? createLocalRecogniser({ warmDecoders: 1, clock: this.#clock })
        : localSpeech().then(({ recogniser }) => recogniser);
    return withExamples(await this.#recogniser, sentences);
  }
}
