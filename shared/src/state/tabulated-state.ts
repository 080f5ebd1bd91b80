/**
 * A state whose writes keep the table of conversations up to date. After a write, the row is made again from what is stored, so that it
 * does not matter which process wrote what, and a row that could not be written is mended by the next one. What ends or begins something
 * is in the table at once, what only changes a figure within a minute. Only an end waits for its row: a caller waits for all the rest.
 */
import { readOwner } from "../auth/tenant.ts";
import { isEnded } from "../calls/call-transitions.ts";
import { conversationOf } from "../calls/conversation-of-call.ts";
import { countsOf } from "../conversation/conversation-counts.ts";
import { rowOfCall, rowOfConversation, type StoredConversation } from "../conversation/conversation-row.ts";
import type { CancelTimer, Clock } from "../platform/clock.ts";
import { toVoiceError } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import type { CallRecord, CallStore } from "./ports/call-store.ts";
import type { ConversationRow } from "./ports/conversation-table.ts";
import type { SessionPatch, SessionStore } from "./ports/session-store.ts";
import type { State } from "./ports/state.ts";

/** People look at these, and they change a few times in a conversation. */
const shownFields = ["activeAgent", "scenario", "failures", "userEmail", "callConnectionId"] as const;
const promptlyMs = 1000;
/** A turn changes figures only, and a row costs more than a turn does. */
const afterTurnMs = 60_000;
const retryMs = 5000;
const rememberedCounts = 1000;

export function tabulateConversations(state: State, clock: Clock, logger: Logger): State {
  const writer = new RowWriter(state, clock, logger);
  return {
    ...state,
    sessions: tabulatedSessions(state, writer),
    calls: tabulatedCalls(state.calls, writer),
    afterCalls: {
      get: (session) => state.afterCalls.get(session),
      async put(sessionId, record) {
        await state.afterCalls.put(sessionId, record);
        await writer.now(sessionId);
      },
    },
    async close() {
      await writer.close();
      await state.close();
    },
  };
}

class RowWriter {
  readonly #state: State;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** Sessions whose row is out of date, and when it is written. */
  readonly #due = new Map<string, { readonly atMs: number; readonly cancel: CancelTimer }>();
  /** One at a time for each session, because the row that is read last has to be written last. Never rejects. */
  readonly #writing = new Map<string, Promise<void>>();
  /** What this process has counted lately, so that a row that is written again costs no reading. */
  readonly #counted = new Set<string>();
  #isClosed = false;

  constructor(state: State, clock: Clock, logger: Logger) {
    this.#state = state;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Resolves when the row is written, or is to be tried again. Never rejects. */
  now(sessionId: string): Promise<void> {
    return this.#inTurn(sessionId, () => this.#write(sessionId));
  }

  within(sessionId: string, ms: number): void {
    if (this.#isClosed) return;
    const atMs = this.#clock.now() + ms;
    const due = this.#due.get(sessionId);
    if (due !== undefined && due.atMs <= atMs) return;
    due?.cancel();
    this.#due.set(sessionId, { atMs, cancel: this.#clock.setTimer(ms, () => void this.now(sessionId)) });
  }

  /** The same for a call, which may have no conversation, or none yet. */
  ofCall(call: CallRecord): Promise<void> {
    return this.#inTurn(call.sessionId, () => this.#writeOfCall(call));
  }

  /** Its people are forgotten: the row of a conversation loses them, and a call without one its row. */
  async forgetCall(callId: string): Promise<void> {
    const call = await this.#state.calls.get(callId);
    if (call === undefined) return;
    const { sessionId } = call;
    await this.#inTurn(sessionId, async () => {
      const row = await this.#state.conversations.get(sessionId);
      if (row?.callId !== callId) return;
      await this.#state.conversations.remove(sessionId);
      await this.#write(sessionId);
    });
  }

  /** OVERVIEW-1. What was counted before is not counted again, so it does not matter how often a row is written. */
  async #count(row: ConversationRow, stored: StoredConversation | undefined): Promise<void> {
    if (row.endedAtMs === undefined || this.#counted.has(idOfCount(row))) return;
    const { sessions, hourlyCounts } = this.#state;
    const history = stored === undefined ? [] : await sessions.history(row.sessionId);
    const counts = countsOf({ row, session: stored?.session, turns: stored?.turns ?? [], history });
    const id = idOfCount(row);
    const { tenant } = readOwner(row.owner);
    if (tenant !== undefined) await hourlyCounts.add({ id: `${id} of ${tenant}`, atMs: row.endedAtMs, counts, tenant });
    await hourlyCounts.add({ id, atMs: row.endedAtMs, counts });
    this.#counted.add(idOfCount(row));
    if (this.#counted.size > rememberedCounts) this.#counted.clear();
  }

  async remove(sessionId: string): Promise<void> {
    this.#cancel(sessionId);
    await this.#inTurn(sessionId, () => this.#state.conversations.remove(sessionId));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#due.keys()].map((sessionId) => this.now(sessionId)));
    await Promise.all(this.#writing.values());
  }

  async #inTurn(sessionId: string, work: () => Promise<void>): Promise<void> {
    const done = (this.#writing.get(sessionId) ?? Promise.resolve()).then(work);
    // Its requester receives the failure, and the next one is processed.
    const over = done.catch(() => undefined);
    this.#writing.set(sessionId, over);
    await over;
    if (this.#writing.get(sessionId) === over) this.#writing.delete(sessionId);
    return done;
  }

  #cancel(sessionId: string): void {
    this.#due.get(sessionId)?.cancel();
    this.#due.delete(sessionId);
  }

  async #writeOfCall(call: CallRecord): Promise<void> {
    try {
      const session = await conversationOf(call, this.#state.sessions);
      // Without the call's connection it is not known whose conversation has the id.
      if (session?.callConnectionId !== undefined && session.callConnectionId === call.callConnectionId)
        return await this.#write(call.sessionId);
      if (session === undefined && call.isForgotten !== true) {
        const row = rowOfCall(call);
        await this.#state.conversations.put(row);
        await this.#count(row, undefined);
      }
    } catch (error) {
      this.#logger.warn(
        { error, code: toVoiceError(error).code },
        "a call could not be entered in the table of conversations",
      );
    }
    return undefined;
  }

  async #write(sessionId: string): Promise<void> {
    this.#cancel(sessionId);
    try {
      const stored = await readStored(sessionId, this.#state);
      if (stored === undefined) return;
      const row = rowOfConversation(stored);
      const before = await this.#state.conversations.put(row);
      await this.#count(row, stored);
      if (before !== "new") return;
      // Somebody may have deleted it between the two, and then nobody else removes the row.
      if (typeof (await this.#state.sessions.get(sessionId)) === "string")
        await this.#state.conversations.remove(sessionId);
    } catch (error) {
      const { code } = toVoiceError(error);
      this.#logger.warn(
        { error, code, sessionId },
        "a conversation could not be entered in the table of conversations",
      );
      this.within(sessionId, retryMs);
    }
  }
}

/** A conversation that is resumed counts once, in the hour of its first end. */
function idOfCount({ sessionId, startedAtMs }: ConversationRow): string {
  return `${sessionId}@${startedAtMs}`;
}

/** Undefined where nothing is stored of it. */
export async function readRow(
  sessionId: string,
  stores: Pick<State, "sessions" | "calls" | "afterCalls">,
): Promise<ConversationRow | undefined> {
  const stored = await readStored(sessionId, stores);
  return stored && rowOfConversation(stored);
}

async function readStored(
  sessionId: string,
  { sessions, calls, afterCalls }: Pick<State, "sessions" | "calls" | "afterCalls">,
): Promise<StoredConversation | undefined> {
  const [session, turns] = await Promise.all([sessions.get(sessionId), sessions.metrics(sessionId)]);
  if (typeof session === "string" || session.deletionBegun === true) return undefined;
  const { callConnectionId } = session;
  const [call, afterCall] = await Promise.all([
    callConnectionId === undefined ? undefined : calls.getByConnection(callConnectionId),
    session.status === "ended" ? afterCalls.get(session) : undefined,
  ]);
  return { session, turns, call, afterCall };
}

function tabulatedSessions({ sessions, conversations }: State, writer: RowWriter): SessionStore {
  return {
    ...sessions,
    async create(session) {
      const created = await sessions.create(session);
      void writer.now(session.sessionId);
      return created;
    },
    async update(sessionId, version, patch) {
      const updated = await sessions.update(sessionId, version, patch);
      if (patch.status === "ended" || patch.endReason !== undefined) await writer.now(sessionId);
      else if (patch.status !== undefined) void writer.now(sessionId);
      else if (isShown(patch)) writer.within(sessionId, promptlyMs);
      return updated;
    },
    async appendTurn(sessionId, turn) {
      const outcome = await sessions.appendTurn(sessionId, turn);
      writer.within(sessionId, afterTurnMs);
      return outcome;
    },
    async keepAlive(living) {
      await sessions.keepAlive(living);
      await conversations.keepAlive(living.map(({ sessionId }) => sessionId));
    },
    async delete(sessionId) {
      const existed = await sessions.delete(sessionId);
      await writer.remove(sessionId);
      return existed;
    },
  };
}

function isShown(patch: SessionPatch): boolean {
  return shownFields.some((field) => Object.hasOwn(patch, field));
}

function tabulatedCalls(calls: CallStore, writer: RowWriter): CallStore {
  return {
    ...calls,
    async create(call) {
      const created = await calls.create(call);
      void writer.ofCall(created);
      return created;
    },
    async update(callId, version, patch) {
      const updated = await calls.update(callId, version, patch);
      if (!changesRow(patch)) return updated;
      const written = writer.ofCall(updated);
      if (isEnded(updated.status)) await written;
      return updated;
    },
    async forget(callId) {
      await calls.forget(callId);
      await writer.forgetCall(callId);
    },
  };
}

function changesRow(patch: Parameters<CallStore["update"]>[2]): boolean {
  return (["status", "failureCode", "answeredBy", "hangUpReason", "callConnectionId"] as const).some((field) =>
    Object.hasOwn(patch, field),
  );
}
