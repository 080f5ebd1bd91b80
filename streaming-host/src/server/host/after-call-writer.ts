/**
 * Notes what came of conversations that have ended, as their agents' and scenarios' files name it. Each end is in a durable queue
 * (`queueEnds`), so that any host does it, tries again while the model is away, and none is lost with the host that carried it.
 */
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import type { AfterCall } from "@voice/shared/contracts/agents/after-call-document";
import { countsOfNoted, hasCallerWords, namedAfterCall, noteWithoutModel } from "@voice/shared/conversation/after-call";
import type { Noted } from "@voice/shared/conversation/after-call";
import { nothingBilled, type BilledNames } from "@voice/shared/costs/billed-names";
import type { Prices } from "@voice/shared/costs/prices";
import { ownerMark } from "@voice/shared/auth/owner-mark";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type { HistoryItem, SessionRecord } from "@voice/shared/state/ports/session-store";
import type { State } from "@voice/shared/state/ports/state";
import type { AfterCallRecord } from "@voice/shared/state/records/after-call-store";
import type { TakenConversation } from "@voice/shared/state/work/due-conversations";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";
import { receiverOf } from "@voice/shared/webhooks/announced-state";
import { bodyOfNoted } from "@voice/shared/webhooks/webhook-body";
import { sessionFact } from "@voice/shared/webhooks/webhook-facts";
import type { LanguageModel } from "@voice/provider-kit/ports/language-model";
import { askAfterCall } from "../../pipeline/cascade/ask-after-call.ts";
import { meteredLanguageModel } from "../../session/usage/metered-language-model.ts";
import { UsageMeter } from "../../session/usage/usage-meter.ts";
import { retryPauseMs, serveWork } from "./serve-work.ts";

export interface AfterCallWriterOptions {
  readonly state: Pick<State, "sessions" | "afterCalls" | "toNote" | "toArchive" | "hourlyCounts" | "webhooks">;
  /** Rejects where the session's scenario is no more. */
  readonly catalogOf: (session: SessionRecord) => Promise<SessionCatalog>;
  /** Absent: the notes say only what the tools did. */
  readonly model: LanguageModel | undefined;
  readonly billed?: BilledNames | undefined;
  readonly prices: Prices;
  /** Whether conversations are archived; what was noted is in the archive then, too. */
  readonly isArchived: boolean;
  /** The addresses of the receivers of webhooks, and the service's own. */
  readonly urls: readonly string[];
  readonly baseUrl: string | undefined;
  readonly random: () => number;
  readonly telemetry: Pick<Telemetry, "count">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Three quarters of an hour. After that, nothing is noted. */
const mostAttempts = 6;

const sentences = {
  failing: "the conversations of which it is to be noted what came of them could not be read",
  over: "the conversations of which it is to be noted what came of them are read again",
};

const unknown: Noted = { summary: null, outcome: null, fields: {} };

export class AfterCallWriter {
  readonly #options: AfterCallWriterOptions;
  readonly #closing = new AbortController();
  readonly #endQueue: () => Promise<void>;

  constructor(options: AfterCallWriterOptions) {
    const { state, clock, logger } = options;
    this.#options = options;
    const ends = {
      take: (limit: number, forMs: number) => state.toNote.take(limit, forMs),
      handle: (taken: TakenConversation) => this.#handle(taken),
      sentences,
    };
    this.#endQueue = serveWork(ends, this.#closing.signal, clock, logger);
  }

  /** Takes nothing more; what is under way is given back. Idempotent. */
  close(): Promise<void> {
    this.#closing.abort();
    return this.#endQueue();
  }

  async #handle(taken: TakenConversation): Promise<void> {
    const { state, logger } = this.#options;
    const { sessionId, attempt } = taken;
    const log = logger.child({ sessionId, attempt });
    // The lease ends, and somebody tries again.
    await warnIfItFails(log, {}, "what came of a conversation could not be stored", async () => {
      if ((await this.#note(taken, log)) === "done") await state.toNote.finish(taken);
    });
  }

  async #note(taken: TakenConversation, log: Logger): Promise<"done" | "put off"> {
    const { state, telemetry, random } = this.#options;
    const session = await state.sessions.get(taken.sessionId);
    // Whoever ends a conversation that continues puts that in again.
    if (!isOf(session, taken) || session.status === "active") return "done";
    const [named, history] = await Promise.all([this.#named(session), state.sessions.history(taken.sessionId)]);
    if (named === undefined || !hasCallerWords(history)) return "done";
    const meter = new UsageMeter(this.#options.prices, () => session.activeAgent);
    try {
      const noted = await this.#ask({ session, history, meter, ...named });
      await this.#store(session, named.named, { ...noted, status: "written", usage: meter.take() });
      telemetry.count("voice.after_call", { outcome: "written" });
    } catch (error) {
      const pauseMs = this.#closing.signal.aborted ? 0 : retryPauseMs(taken.attempt, random());
      const { code } = toVoiceError(error);
      if (pauseMs !== undefined && taken.attempt < mostAttempts) {
        log.warn({ error, code }, "it is noted later what came of a conversation");
        telemetry.count("voice.after_call", { outcome: "postponed" });
        await state.toNote.postpone(taken, pauseMs);
        return "put off";
      }
      log.error({ error, code }, "it was not noted what came of a conversation");
      telemetry.count("voice.after_call", { outcome: "given_up" });
      await this.#store(session, named.named, { ...unknown, status: "failed", usage: meter.take() });
    }
    return "done";
  }

  async #named(session: SessionRecord) {
    const catalog = await this.#options.catalogOf(session).catch(() => undefined);
    const named = catalog && namedAfterCall(session, catalog);
    return catalog && named && { catalog, named };
  }

  async #ask({ session, history, meter, catalog, named }: Question): Promise<Noted> {
    const { model, billed = nothingBilled, clock } = this.#options;
    const agent = catalog.agent(session.activeAgent) ?? catalog.agent(catalog.scenario.startAgent);
    if (model === undefined || agent === undefined) return noteWithoutModel(named, history, session.memory);
    const { languageModel: name } = billed;
    const metered = name === undefined ? model : meteredLanguageModel(model, name, meter);
    return askAfterCall({ named, agent, history }, { model: metered, clock, signal: this.#closing.signal });
  }

  async #store(
    session: SessionRecord,
    named: AfterCall,
    noted: Noted & Pick<AfterCallRecord, "status" | "usage">,
  ): Promise<void> {
    const { state, isArchived, urls, baseUrl, clock } = this.#options;
    const { sessionId, createdAtMs, lastActivityAtMs, version } = session;
    const record = { ...noted, createdAtMs, writtenAtMs: clock.wallNow() };
    await state.afterCalls.put(sessionId, record);
    await state.hourlyCounts.add({
      id: `${sessionId}@${createdAtMs}:noted`,
      atMs: lastActivityAtMs,
      counts: countsOfNoted(record, named),
    });
    // The archive may have the conversation already, without it.
    if (isArchived) {
      const id = `arc_noted_${sessionId}_${createdAtMs}_${version}`;
      await state.toArchive.put({ id, sessionId, createdAtMs, storedAtMs: lastActivityAtMs }, 0);
    }
    if (record.status === "failed" || urls.length === 0) return;
    const fact = sessionFact(session, "session.noted");
    const body = bodyOfNoted(session, record, { isSent: named.webhook, baseUrl });
    await Promise.all(urls.map((url) => state.webhooks.put({ ...fact, receiver: receiverOf(url), body }, 0)));
    // Whoever has deleted it meanwhile may have withdrawn its events before this one was there.
    if (!isOf(await state.sessions.get(sessionId), session))
      await state.webhooks.forgetSession(sessionId, ownerMark(session));
  }
}

interface Question {
  readonly session: SessionRecord;
  readonly history: readonly HistoryItem[];
  readonly meter: UsageMeter;
  readonly catalog: SessionCatalog;
  readonly named: AfterCall;
}

/** False where it was deleted, or another conversation has the id now. */
function isOf(
  found: SessionRecord | string,
  { createdAtMs }: Pick<SessionRecord, "createdAtMs">,
): found is SessionRecord {
  return typeof found !== "string" && found.createdAtMs === createdAtMs && found.deletionBegun !== true;
}
