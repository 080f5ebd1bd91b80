/** One conversation, live or ended: its line of time, its transcript with the latency of each answer, and what else is known of it. */
import { useEffect, useMemo, useState } from "react";

import { AgentPanel } from "../components/agent-panel.tsx";
import { ConnectionNotice } from "../components/connection-notice.tsx";
import { HandoffGraph } from "../components/handoff-graph.tsx";
import { SpeechVisual } from "../components/speech-visual.tsx";
import { StageStatus } from "../components/stage-status.tsx";
import { TokenPanel } from "../components/token-panel.tsx";
import { Transcript } from "../components/transcript.tsx";
import type { Console } from "../create-console.ts";
import { isInbound, farNumberOf } from "../conversation/call-outcome.ts";
import type { Entry } from "../conversation/conversation-view.ts";
import { latenciesByEntry } from "../conversation/latencies-by-entry.ts";
import { toWaterfall } from "../conversation/latency-stages.ts";
import { endInWords } from "../conversation/reduce-conversation.ts";
import { requestsOfTurns } from "../conversation/requests-of-turns.ts";
import { inPlacedOrder, playedAt, toTimeline } from "../conversation/timeline.ts";
import { formatRoute } from "../route.ts";
import { useSecond } from "../use-second.ts";
import { useStore } from "../use-store.ts";
import { AfterCallPanel } from "./after-call-panel.tsx";
import { CostPanel } from "./cost-panel.tsx";
import { DownloadMenu } from "./download-menu.tsx";
import { LatencySummary } from "../components/latency-summary.tsx";
import { MessagesPanel } from "./messages-panel.tsx";
import { OperatorPanel } from "./operator-panel.tsx";
import { PromptDialog } from "./prompt-dialog.tsx";
import { SessionFacts } from "./session-facts.tsx";
import { TimelinePanel } from "./timeline-panel.tsx";
import { TurnLatency } from "../components/turn-latency.tsx";
import { usePlayer } from "./use-player.ts";
import type { WatchState } from "./watch-session.ts";

export type ConversationParts = Pick<
  Console,
  | "watch"
  | "watchLevels"
  | "liveLevels"
  | "watchedCall"
  | "listen"
  | "operator"
  | "takeover"
  | "recording"
  | "requests"
  | "readFile"
  | "phone"
  | "costs"
>;

interface ConversationPageProps {
  readonly console: ConversationParts;
  readonly state: WatchState;
  readonly sessionId: string;
  /** The address of the list that it was picked from. */
  readonly listHref: string;
  readonly isOperator: boolean;
}

export function ConversationPage({ console, state, sessionId, listHref, isOperator }: ConversationPageProps) {
  const { watch, listen, operator, phone } = console;
  const { own } = useStore(phone.store);
  const { call } = useStore(console.watchedCall.store);
  /** A participant of the call cannot take it over. */
  const ownNumber = call !== undefined && farNumberOf(call) === own ? undefined : own;
  const { view, connection, details } = state;
  const ended = endOf(state);
  const isOnlyWritten = isWrittenDown(state);
  const isOutgoing = call !== undefined && !isInbound(call);
  const told = useMemo(() => (isOutgoing ? asOfOutgoingCall(view) : view), [view, isOutgoing]);
  return (
    <>
      <section className="stage" aria-label="Conversation">
        <div className="conversation-head">
          <a className="back" href={listHref}>
            All conversations
          </a>
          {ended === undefined && <ConnectionNotice connection={connection} onRetry={() => watch.retry()} />}
          <StageStatus
            connection={connection}
            agent={isOnlyWritten ? undefined : view.agent}
            agentState={view.agentState}
            ended={ended}
            isOutgoing={isOutgoing}
            isWithPerson={isWithPerson(state)}
          />
          {details !== undefined && (
            <DownloadMenu sessionId={sessionId} isRecorded={state.isRecorded} read={console.readFile} />
          )}
        </div>
        {state.pastProblem !== undefined && (
          <p className="banner banner-warning" role="alert">
            {details === undefined ? "This conversation" : "How long its answers took"} could not be read:{" "}
            {state.pastProblem}
            <button type="button" className="link" onClick={() => watch.retry()}>
              Try again
            </button>
          </p>
        )}
        {view.entries.length > 0 ? (
          <Said console={console} state={{ ...state, view: told }} sessionId={sessionId} isOperator={isOperator} />
        ) : (
          <div className="welcome">
            <p>{whyNothing(state)}</p>
          </div>
        )}
        {isOperator && ended === undefined && details !== undefined && (
          <OperatorPanel
            key={sessionId}
            sessionId={sessionId}
            isPhoneCall={details.channel === "phone"}
            isWrittenDown={isOnlyWritten}
            listen={listen}
            operator={operator}
            takeover={console.takeover}
            ownNumber={ownNumber}
          />
        )}
      </section>
      {!isUnavailable(state) && <ConversationSide console={console} state={state} sessionId={sessionId} />}
    </>
  );
}

/** The messages of a conversation do not say who has called whom. */
function asOfOutgoingCall(view: WatchState["view"]): WatchState["view"] {
  const entries = view.entries.map((entry) =>
    entry.kind === "notice" && entry.ending !== undefined ? { ...entry, text: endInWords(entry.ending, true) } : entry,
  );
  return { ...view, entries };
}

interface SaidProps {
  readonly console: ConversationParts;
  readonly state: WatchState;
  readonly sessionId: string;
  readonly isOperator: boolean;
}

/** Up to this length a recording is loaded unasked: nine megabytes at telephone quality. */
const loadedUnaskedMs = 5 * 60_000;

function Said({ console, state, sessionId, isOperator }: SaidProps) {
  const { view, details, recorded, isRecorded } = state;
  const isLive = endOf(state) === undefined;
  const levels = useStore(console.liveLevels.store);
  const requests = useStore(console.requests.store);
  const player = usePlayer(sessionId, console.recording);
  const [picked, setPicked] = useState<{ readonly entryId: number }>();
  const [promptOf, setPromptOf] = useState<Entry>();
  const nowMs = useSecond(isLive);
  const timeline = useMemo(
    () => toTimeline({ entries: view.entries, details, recorded, nowMs }),
    [view.entries, details, recorded, nowMs],
  );
  const ordered = useMemo(() => inPlacedOrder(view, timeline, recorded !== undefined), [view, timeline, recorded]);
  const recordedMs = details?.recordings.reduce((sum, { duration_ms: ms }) => sum + (ms ?? Infinity), 0) ?? Infinity;
  const { recording } = console;
  useEffect(() => {
    if (!isLive && isRecorded && recordedMs <= loadedUnaskedMs) void recording.load(sessionId);
  }, [recording, sessionId, isLive, isRecorded, recordedMs]);
  useEffect(() => () => console.requests.forget(), [console.requests, sessionId]);
  const latencyOf = useMemo(() => latenciesByEntry(view), [view]);
  /** A greeting has no latency, and no model was asked for it. */
  const answeredTurns = new Set(view.latencies.map(({ turnId }) => turnId));
  const longestMs = Math.max(1, ...view.latencies.map(({ metrics }) => toWaterfall(metrics).totalMs));
  const openPrompt = (entry: Entry): void => {
    if (requests.kind !== "ready" || isLive) void console.requests.load(sessionId);
    setPromptOf(entry);
  };
  return (
    <>
      <TimelinePanel
        timeline={timeline}
        levels={levels}
        player={player}
        isRecorded={isRecorded}
        isLive={isLive}
        onPick={(entryId) => setPicked({ entryId })}
      />
      <Transcript
        view={ordered}
        callerName="Caller"
        track={{
          startMsOf: ({ id }) => timeline.entries.get(id)?.startMs ?? 0,
          placeOf: (entryId) => timeline.entries.get(entryId),
          played: player.isPlaying ? playedAt(timeline, player.atMs) : undefined,
          picked,
          onPlay: isRecorded ? player.playFrom : undefined,
          beginsAtStart: !isLive,
          beside: (entry) => {
            if (entry.kind !== "agent" || !answeredTurns.has(entry.turnId)) return null;
            const onPrompt = isOperator ? () => openPrompt(entry) : undefined;
            return (
              <TurnLatency
                latency={latencyOf.get(entry.id)}
                longestMs={longestMs}
                listener="the caller"
                onPrompt={onPrompt}
              />
            );
          },
        }}
      />
      {promptOf !== undefined && (
        <PromptDialog
          state={requests}
          ofAnswer={
            requests.kind === "ready" ? (requestsOfTurns(requests.requests, view.entries).get(promptOf.id) ?? []) : []
          }
          onClose={() => setPromptOf(undefined)}
        />
      )}
    </>
  );
}

/** Only transcribed: the agent that the service stores with it takes no part. */
function isWrittenDown({ details }: WatchState): boolean {
  return details?.streaming_mode === "TRANSCRIPTION";
}

/** The agent is silent, whatever it did last. */
function isWithPerson({ details }: WatchState): boolean {
  return details?.with_person_since != null;
}

/** The reason of the end, from the live event or else from the stored conversation. Empty if unknown. */
function endOf({ view, details }: WatchState): string | undefined {
  if (view.ended !== undefined) return view.ended;
  return details?.status === "ended" ? (details.end_reason ?? "") : undefined;
}

/** The service has said that this user cannot have it, so nothing is waited for. */
function isUnavailable({
  details,
  pastProblem,
  connection,
}: Pick<WatchState, "details" | "pastProblem" | "connection">): boolean {
  return details === undefined && pastProblem !== undefined && connection.kind === "idle";
}

function whyNothing(state: WatchState): string {
  const { details, pastProblem, connection } = state;
  if (details !== undefined) return endOf(state) === undefined ? "Nothing has been said yet." : "Nothing was said.";
  if (isUnavailable({ details, pastProblem, connection })) return "Pick another one from the list.";
  return pastProblem === undefined ? "Loading…" : "What is said from now on is shown here.";
}

interface ConversationSideProps {
  readonly console: ConversationParts;
  readonly state: WatchState;
  readonly sessionId: string;
}

function ConversationSide({ console, state, sessionId }: ConversationSideProps) {
  const { view, messages, scenario } = state;
  const isOnlyWritten = isWrittenDown(state);
  return (
    <aside className="side" aria-label="Details">
      {state.details?.after_call != null && <AfterCallPanel noted={state.details.after_call} />}
      <AgentPanel
        agents={view.agent === undefined || isOnlyWritten ? [] : [{ name: view.agent, description: "" }]}
        emptyText={isOnlyWritten ? "None: what the caller says is only written down." : "Nobody has spoken yet."}
        activeAgent={isOnlyWritten ? undefined : view.agent}
        agentState={endOf(state) === undefined && !isWithPerson(state) ? view.agentState : undefined}
      >
        {endOf(state) === undefined && <SpeechVisual callerName="Caller" levels={console.watchLevels} />}
      </AgentPanel>
      {state.details !== undefined && (
        <SessionFacts sessionId={sessionId} details={state.details} watchedCall={console.watchedCall} />
      )}
      <LatencySummary latencies={view.latencies} whose="the caller’s" />
      {scenario !== undefined && scenario.agents.length > 1 && !isOnlyWritten && (
        <section className="panel" aria-labelledby="place-title">
          <h2 id="place-title">Agents of the scenario</h2>
          <HandoffGraph scenario={scenario} active={view.agent} isSmall />
        </section>
      )}
      <TokenPanel latencies={view.latencies} />
      <CostPanel
        sessionId={sessionId}
        costs={console.costs}
        moment={`${view.latencies.length} ${endOf(state) ?? "live"}`}
      />
      <MessagesPanel sessionId={sessionId} messages={messages} />
      <p className="panel hint">
        <a href={formatRoute({ page: "replay", sessionId })}>Step through what was decided</a>, and see what would be
        decided differently today.
      </p>
    </aside>
  );
}
