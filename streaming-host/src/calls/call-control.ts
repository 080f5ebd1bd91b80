/**
 * Call control: consumes the call events of the whole service, whichever process published them, and acts on them
 * (docs/calls.md). Any host may get any event; none keeps anything about a call in memory.
 */
import { heartbeatDelayMs } from "@voice/shared/calls/fleet-capacity";
import type { CallFailure } from "@voice/shared/calls/failure-reason";
import type { NoPerson } from "@voice/shared/calls/voicemail";
import type { CallLogMessage } from "@voice/shared/contracts/calls/call-log";
import { isAwaitingAnswer } from "@voice/shared/calls/call-transitions";
import { toVoiceError } from "@voice/shared/platform/errors";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { CallAutomation } from "@voice/provider-kit/ports/call-automation";
import type { Host } from "../host/host.ts";
import { tracedEventHandlers } from "../telemetry/traced-event-handlers.ts";
import { Announcer } from "./announce/announcer.ts";
import type { SpeakWords } from "./announce/announcer.ts";
import { callEventHandlers, concludeIfOver } from "./call-event-handlers.ts";
import { CallLedger } from "./call-ledger.ts";
import type { CallParts } from "./call-parts.ts";
import { createLanguageOfCall, type LanguagesOfCatalog } from "./announce/call-language.ts";
import { createCarryOut } from "./effects/carry-out.ts";
import type { CarryOut } from "./effects/carry-out.ts";
import { hangUpAfterConversation, hangUpOrLeaveToBus } from "./end/end-call.ts";
import { farewellWords, fixedFarewells, requestFarewell } from "./end/farewell.ts";
import { resumeCall } from "./effects/hold-call.ts";
import { quietMs } from "./report-times.ts";
import { watchOverdueCalls } from "./end/overdue-calls.ts";
import { ReportWatch } from "./report-watch.ts";
import { HolderInquiry } from "./stream/holder-inquiry.ts";
import { StreamWatch } from "./stream/stream-watch.ts";
import { timeWithoutHost } from "./stream/time-without-host.ts";
import { watchForLostEvents } from "./end/lost-events.ts";

/** How the call's log, and those who watch, are told who answered. */
const answers = {
  machine: { type: "voicemail.detected", words: "voicemail detected" },
  menu: { type: "menu.detected", words: "menu detected" },
  not_in_service: { type: "not-in-service.detected", words: "number not in service" },
} as const satisfies Record<NoPerson, { readonly type: CallLogMessage["type"]; readonly words: string }>;

/** `catalog`: for the languages of its agents and scenarios. `speak`: synthesises what the communication service plays. */
export async function startCallControl(
  host: Host,
  automation: CallAutomation,
  catalog: LanguagesOfCatalog,
  speak: SpeakWords,
): Promise<CallControl> {
  const control = new CallControl(host, automation, catalog, speak);
  await control.start();
  return control;
}

export class CallControl {
  readonly carryOut: CarryOut;
  readonly #parts: CallParts;
  readonly #streamWatch: StreamWatch;
  #stopWatching = (): void => undefined;
  #stopAsking = (): void => undefined;
  #unsubscribe = (): Promise<void> => Promise.resolve();
  #leaving: Promise<void> | undefined;

  constructor(host: Host, automation: CallAutomation, catalog: LanguagesOfCatalog, speak: SpeakWords) {
    const { state, settings, clock, logger } = host;
    const { calls, callPlaces, callOperations: operations, announcements, liveUpdates } = state;
    this.#parts = {
      host,
      ledger: new CallLedger(calls, callPlaces, liveUpdates, clock),
      automation,
      announcer: new Announcer({ automation, operations, announcements, settings, speak, logger }),
      languageOf: createLanguageOfCall(host, catalog),
      reports: new ReportWatch({ calls, clock, logger }),
      holders: new HolderInquiry(host),
    };
    this.#streamWatch = new StreamWatch(this.#parts);
    this.carryOut = createCarryOut(this.#parts);
  }

  async start(): Promise<void> {
    const parts = this.#parts;
    const { settings, state, telemetry, clock, logger } = parts.host;
    this.#stopWatching = watchOverdueCalls({
      calls: state.calls,
      settings,
      clock,
      logger,
      end: (call, why) => endOverdue(call, why, parts),
      resume: (call) => resumeCall(call, parts),
    });
    this.#streamWatch.start();
    this.#stopAsking = watchForLostEvents(parts);
    const handlers = tracedEventHandlers(callEventHandlers(parts), telemetry);
    this.#unsubscribe = await state.events.subscribe(handlers, (type) =>
      telemetry.count("voice.call_events.given_up", { type }),
    );
    const { sttLanguage } = settings;
    void parts.announcer.prepare(
      fixedFarewells.map((farewell) => farewellWords(farewell, sttLanguage, settings)),
      sttLanguage,
    );
  }

  /** What is known to be wrong with the service's reports, for operators. */
  get problem(): string | undefined {
    return this.#parts.reports.problem;
  }

  /** The service streams the call's audio, whether or not its callback has come yet (MEDIA-6). Never rejects. */
  async recordStream(call: CallRecord, callConnectionId: string): Promise<void> {
    const { host, ledger, reports } = this.#parts;
    const { callId } = call;
    reports.expect(callId);
    await warnIfItFails(host.logger, { callId }, "a stream was not written down", async () => {
      // The service may send no event at all (LOST-1).
      await host.state.callChecks.expect(callId, quietMs);
      if (isAwaitingAnswer(call.status)) await ledger.markConnected(call, callConnectionId);
    });
  }

  /**
   * The service streams a call that is over, or is to be hung up: it is asked to end it, until nobody hears silence. Never
   * rejects.
   */
  async endUnwanted(call: CallRecord, callConnectionId: string): Promise<void> {
    const { host, ledger } = this.#parts;
    const { callId } = call;
    await warnIfItFails(host.logger, { callId }, "a call that is over was not hung up", async () => {
      await ledger.noteConnection(call, callConnectionId);
      await ledger.markFound(call);
      // At the next look, however often the service opens the stream until then.
      await host.state.callChecks.set(callId, 0);
    });
  }

  /**
   * This host has the call's stream until the returned function is called. `hasFlowed`: whether audio came since the
   * last check.
   */
  carryStream(call: CallRecord, hasFlowed = () => true): () => void {
    const { state, logger } = this.#parts.host;
    const { callId } = call;
    // The host itself says at once when a reserved place is occupied.
    void warnIfItFails(logger, { callId }, "a call's place was not given back", () =>
      state.callPlaces.giveBack(callId, heartbeatDelayMs),
    );
    return this.#streamWatch.carry(call, hasFlowed);
  }

  /** How long no host has had the call's audio, in milliseconds, before its stream was opened here; undefined: not known. Never rejects. */
  timeWithoutHost(call: CallRecord): Promise<number | undefined> {
    return timeWithoutHost(call, this.#parts.host);
  }

  /** No person has answered the call: stores it and tells those who watch. */
  async recordAnswer(
    callConnectionId: string,
    answeredBy: NoPerson,
    details: { readonly evidence: string; readonly answer: string },
  ): Promise<void> {
    const { host, ledger } = this.#parts;
    const call = await host.state.calls.getByConnection(callConnectionId);
    if (call === undefined) return;
    // The record first, because the next host decides by it (VM-4).
    const marked = await ledger.markAnsweredBy(call, answeredBy);
    const { type, words } = answers[answeredBy];
    const isNew = await ledger.logEvent(call.callId, `${answeredBy}:${call.callId}`, { type, details });
    if (isNew) ledger.announce(marked, words);
  }

  /** The conversation on this call has ended. Never rejects. */
  async hangUp(callConnectionId: string, reason: string): Promise<void> {
    try {
      await hangUpAfterConversation(callConnectionId, reason, this.#parts);
    } catch (error) {
      const { logger } = this.#parts.host;
      logger.error({ error, code: toVoiceError(error).code }, "a call whose conversation is over was not hung up");
    }
  }

  /**
   * Takes no more events; other hosts take them, and the calls that they begin. Calls that are here are still looked
   * after. Idempotent.
   */
  drain(): Promise<void> {
    return (this.#leaving ??= this.#unsubscribe());
  }

  /** Idempotent; events in progress are finished or left to another host. */
  async close(): Promise<void> {
    this.#stopWatching();
    this.#stopAsking();
    this.#streamWatch.stop();
    this.#parts.reports.stop();
    this.#parts.announcer.stop();
    await Promise.all([this.#parts.holders.stop(), this.drain()]);
  }
}

async function endOverdue(call: CallRecord, why: "too-long" | CallFailure, parts: CallParts): Promise<void> {
  // A transfer that takes longer ends with the service's event.
  if (why === "too-long") return requestFarewell(call, why, parts);
  // An unanswered call has failed, whether or not the service can hang it up.
  if (!(await parts.ledger.fail(call, why))) return undefined;
  const { reason } = why;
  if (call.callConnectionId !== undefined) {
    parts.reports.expect(call.callId);
    await hangUpOrLeaveToBus(call, { reason, why: "overdue" }, parts);
  }
  return concludeIfOver(call.callId, parts);
}
