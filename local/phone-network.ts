/**
 * A telephone network on this machine: the communication service's emulator with simulated phones behind it, the settings
 * that make the service use it, and the calls that people make from their phones.
 */
import { randomBytes } from "node:crypto";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import { createLocalRecogniser } from "@voice/streaming-host/providers/local/recogniser/local-recogniser";
import { createLocalSynthesiser } from "@voice/streaming-host/providers/local/synthesiser/local-synthesiser";
import type { Recogniser } from "@voice/streaming-host/providers/ports/recogniser";
import type { Synthesiser } from "@voice/streaming-host/providers/ports/synthesiser";
import { speakText } from "./caller/line-audio.ts";
import { startCommEmulator } from "./emulators/comm/emulator.ts";
import type { CommEmulator, CommEmulatorOptions } from "./emulators/comm/emulator.ts";
import { startPlatformCall } from "./emulators/telephony/platform-call.ts";
import type { PlatformKey } from "./emulators/telephony/sign-request.ts";
import { withExamples } from "./emulators/with-examples.ts";
import { createPhoneBook, phoneNumbers } from "./phone/phone-book.ts";
import { createPhoneControls } from "./phone/phone-controls.ts";
import type { PhoneEvent, PhoneScript } from "./phone/phone-script.ts";
import { ScriptedPhone } from "./phone/scripted-phone.ts";

type EmulatorOptions = Pick<CommEmulatorOptions, "port" | "ringMs" | "deliveryFaults" | "incomingCallCopies">;

export interface PhoneNetworkOptions extends EmulatorOptions {
  /** Where the service will be: its HTTP API, and its WebSockets where they are elsewhere. */
  readonly baseUrl: string;
  readonly streamingHostUrl?: string | undefined;
  /** Incoming calls come with a secret. Without one anybody on this machine can try what the service does with an event. */
  readonly provesDeliveries?: boolean | undefined;
  readonly clock?: Clock;
  /** The voice of the person at the phone. */
  readonly voice?: string;
  /** What the telephony platform presents. */
  readonly platformKey?: PlatformKey | undefined;
  /** What people may say: with it the network can transcribe calls by itself. */
  readonly sentences?: (() => readonly string[]) | undefined;
}

export interface PhoneNetwork {
  /** Environment variables that make the service use this network. */
  readonly environment: Readonly<Record<string, string>>;
  readonly emulator: CommEmulator;
  /** To be called once the service is listening: asks it whether it wants incoming calls. */
  connect(): Promise<void>;
  /** Gives a phone to somebody who takes the next call of the service, and does this. */
  expectCall(script: PhoneScript, onEvent?: (event: PhoneEvent) => void): ScriptedPhone;
  /** Somebody calls a telephony platform that has our agents answer; resolves when that call is over. */
  callThroughPlatform(script: PhoneScript, onEvent?: (event: PhoneEvent) => void): Promise<ScriptedPhone>;
  /** Somebody calls the service; resolves when that call is over. */
  call(script: PhoneScript, onEvent?: (event: PhoneEvent) => void): Promise<ScriptedPhone>;
  close(): Promise<void>;
}

const defaultVoice = "slt";
/** What somebody does who did not expect a call: picks up, listens, and waits. */
const surprised: PhoneScript = { actions: [], pickUpAfterMs: 1500, staysOnTheLine: true };

/** What is in the place of somebody who is out. */
const absent: PhoneScript = {
  actions: [],
  pickUpAfterMs: 1500,
  machine: {
    greeting:
      "Hello. You have reached the number of Pat Smith. I am not at home. Please leave a message after the tone.",
    beeps: true,
  },
};

export async function startLocalPhoneNetwork(options: PhoneNetworkOptions): Promise<PhoneNetwork> {
  const {
    baseUrl,
    streamingHostUrl,
    clock = systemClock,
    voice = defaultVoice,
    sentences,
    platformKey,
    provesDeliveries,
    ...emulatorOptions
  } = options;
  const secret = provesDeliveries === true ? randomBytes(16).toString("base64url") : undefined;
  let synthesiser: Promise<Synthesiser> | undefined;
  let recogniser: Promise<Recogniser> | undefined;

  function createPhone(script: PhoneScript, onEvent?: (event: PhoneEvent) => void): ScriptedPhone {
    return new ScriptedPhone({
      script,
      clock,
      onEvent,
      async speakText(text, sampleRateHz) {
        synthesiser ??= createLocalSynthesiser();
        return speakText(await synthesiser, { text, voice, sampleRateHz });
      },
    });
  }

  const book = createPhoneBook({ anybody: () => createPhone(surprised), machine: () => createPhone(absent) });

  function expectCall(script: PhoneScript, onEvent?: (event: PhoneEvent) => void): ScriptedPhone {
    const phone = createPhone(script, onEvent);
    book.expect(phone);
    script.leaves?.addEventListener("abort", () => book.forget(phone));
    return phone;
  }

  async function call(script: PhoneScript, onEvent?: (event: PhoneEvent) => void): Promise<ScriptedPhone> {
    const phone = createPhone(script, onEvent);
    const dialled = await emulator.dial(phoneNumbers.person, phoneNumbers.service, phone);
    script.leaves?.addEventListener("abort", () => dialled.hangUp("phone"));
    if (script.leaves?.aborted === true) dialled.hangUp("phone");
    await dialled.ended;
    return phone;
  }

  async function callThroughPlatform(
    script: PhoneScript,
    onEvent?: (event: PhoneEvent) => void,
  ): Promise<ScriptedPhone> {
    const phone = createPhone(script, onEvent);
    const url = new URL("/api/v1/telephony/stream", streamingHostUrl ?? baseUrl);
    url.protocol = url.protocol.replace("http", "ws");
    const { person: from, service: to } = phoneNumbers;
    const platformCall = startPlatformCall({ url, from, to, phone, clock, key: platformKey });
    await platformCall.ended;
    const [fault] = platformCall.faults;
    if (fault !== undefined) throw new VoiceError("upstream_unavailable", `the telephony platform complains: ${fault}`);
    return phone;
  }

  const emulator = await startCommEmulator({
    ...emulatorOptions,
    clock,
    directory: book.find,
    recogniser:
      sentences &&
      (() => {
        recogniser ??= createLocalRecogniser({ warmDecoders: 1 });
        return recogniser.then((engine) => withExamples(engine, sentences()));
      }),
    also: createPhoneControls({ call, expectCall, callThroughPlatform }),
  });

  return {
    emulator,
    environment: {
      BASE_URL: baseUrl,
      ...(streamingHostUrl === undefined ? {} : { STREAMING_HOST_URL: streamingHostUrl }),
      COMM_CONNECTION_STRING: emulator.connectionString,
      COMM_PHONE_NUMBER: phoneNumbers.service,
      COMM_RESOURCE_ID: emulator.resourceId,
      COMM_JWT_ISSUER: emulator.issuer,
      COMM_JWKS_URL: emulator.jwksUrl,
      ...(secret === undefined ? {} : { COMM_WEBHOOK_SECRET: secret }),
      ...(sentences === undefined ? {} : { COMM_COGNITIVE_ENDPOINT: emulator.url }),
    },
    connect: () =>
      emulator.subscribe(`${baseUrl}/api/v1/calls/answer${secret === undefined ? "" : `?secret=${secret}`}`),
    expectCall,
    call,
    callThroughPlatform,
    async close() {
      await emulator.close();
      await (await synthesiser)?.close();
      await (await recogniser)?.close();
    },
  };
}
