import { useEffect } from "react";

import { AgentPanel } from "../components/agent-panel.tsx";
import { ConnectionNotice } from "../components/connection-notice.tsx";
import { HandoffGraph } from "../components/handoff-graph.tsx";
import { LatencyPanel } from "../components/latency-panel.tsx";
import { LevelMeter } from "../components/level-meter.tsx";
import { StageStatus } from "../components/stage-status.tsx";
import { TokenPanel } from "../components/token-panel.tsx";
import { Transcript } from "../components/transcript.tsx";
import type { Console } from "../create-console.ts";
import type { ConversationFilter } from "../conversation/conversation-filter.ts";
import { farNumberOf } from "../conversation/call-outcome.ts";
import { formatRoute } from "../route.ts";
import { useStore } from "../use-store.ts";
import { CostPanel } from "./cost-panel.tsx";
import { MessagesPanel } from "./messages-panel.tsx";
import { OperatorPanel } from "./operator-panel.tsx";
import { RecordingPanel } from "./recording-panel.tsx";
import { SessionFacts } from "./session-facts.tsx";
import type { WatchState } from "./watch-session.ts";

const latestTurns = 12;

type WatchParts = Pick<
  Console,
  "watch" | "watchLevels" | "watchedCall" | "listen" | "operator" | "recording" | "phone" | "costs"
>;

interface WatchPageProps {
  readonly console: WatchParts;
  readonly sessionId: string | undefined;
  /** Of the list to which it leads back. */
  readonly filter?: ConversationFilter | undefined;
  readonly isOperator: boolean;
}

export function WatchPage({ console, sessionId, filter, isOperator }: WatchPageProps) {
  const { watch, listen, operator, phone } = console;
  const state = useStore(watch.store);
  useEffect(() => {
    watch.select(sessionId);
    return () => {
      watch.select(undefined);
      listen.stop();
      operator.forget();
    };
  }, [watch, listen, operator, sessionId]);
  const { own } = useStore(phone.store);
  const { call } = useStore(console.watchedCall.store);
  /** A participant of the call cannot take it over. */
  const ownNumber = call !== undefined && farNumberOf(call) === own ? undefined : own;
  const { view, connection } = state;
  const ended = endOf(state);
  const isOnlyWritten = isWrittenDown(state);

  return (
    <main className={sessionId === undefined ? "page page-watch" : "page page-watch page-picked"}>
      <section className="stage" aria-label="Conversation">
        {sessionId !== undefined && (
          <a
            className="back"
            href={formatRoute({ page: "conversations", sessionId: undefined, ...(filter && { filter }) })}
          >
            All conversations
          </a>
        )}
        {ended === undefined && <ConnectionNotice connection={connection} onRetry={() => watch.retry()} />}
        {sessionId !== undefined && (
          <StageStatus
            connection={connection}
            agent={isOnlyWritten ? undefined : view.agent}
            agentState={view.agentState}
            ended={ended}
          />
        )}
        {state.pastProblem !== undefined && (
          <p className="banner banner-warning" role="alert">
            {state.details === undefined ? "This conversation" : "How long its answers took"} could not be read:{" "}
            {state.pastProblem}
            <button type="button" className="link" onClick={() => watch.retry()}>
              Try again
            </button>
          </p>
        )}
        <Said state={state} sessionId={sessionId} />
        {sessionId !== undefined && isOperator && ended === undefined && state.details !== undefined && (
          <OperatorPanel
            key={sessionId}
            sessionId={sessionId}
            isPhoneCall={state.details.channel === "phone"}
            isWrittenDown={isOnlyWritten}
            listen={listen}
            operator={operator}
            ownNumber={ownNumber}
          />
        )}
      </section>
      {sessionId !== undefined && !isUnavailable(state) && (
        <WatchSide console={console} state={state} sessionId={sessionId} />
      )}
    </main>
  );
}

/** Only transcribed: the agent that the service stores with it takes no part. */
function isWrittenDown({ details }: WatchState): boolean {
  return details?.streaming_mode === "TRANSCRIPTION";
}

/** From the live event, otherwise from what is stored. Empty if unknown. */
function endOf({ view, details }: WatchState): string | undefined {
  if (view.ended !== undefined) return view.ended;
  return details?.status === "ended" ? (details.end_reason ?? "") : undefined;
}

function Said({ state, sessionId }: { readonly state: WatchState; readonly sessionId: string | undefined }) {
  if (sessionId === undefined)
    return (
      <div className="welcome">
        <h2>Watch a conversation</h2>
        <p>
          Pick one from the list to follow what is said, who says it, which tools are called and how long each answer
          takes; while it goes on you can listen in and step in.
        </p>
      </div>
    );
  if (state.view.entries.length > 0) return <Transcript view={state.view} callerName="Caller" />;
  return (
    <div className="welcome">
      <p>{whyNothing(state)}</p>
    </div>
  );
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
  if (isUnavailable({ details, pastProblem, connection })) return "There is nothing to show of it.";
  return pastProblem === undefined ? "Loading…" : "What is said from now on is shown here.";
}

interface WatchSideProps {
  readonly console: WatchParts;
  readonly state: WatchState;
  readonly sessionId: string;
}

function WatchSide({ console, state, sessionId }: WatchSideProps) {
  const { view, isRecorded, messages, scenario } = state;
  const { watchLevels: levels } = console;
  const isOnlyWritten = isWrittenDown(state);
  return (
    <aside className="side" aria-label="Details">
      <AgentPanel
        agents={view.agent === undefined || isOnlyWritten ? [] : [{ name: view.agent, description: "" }]}
        emptyText={isOnlyWritten ? "None: what the caller says is only written down." : "Nobody has spoken yet."}
        activeAgent={isOnlyWritten ? undefined : view.agent}
        agentState={endOf(state) === undefined ? view.agentState : undefined}
      >
        {endOf(state) === undefined && (
          <div className="meters">
            <LevelMeter label="Caller" level={levels.caller} />
            <LevelMeter label="Agent" level={levels.agent} />
          </div>
        )}
      </AgentPanel>
      {state.details !== undefined && (
        <SessionFacts sessionId={sessionId} details={state.details} watchedCall={console.watchedCall} />
      )}
      {scenario !== undefined && scenario.agents.length > 1 && !isOnlyWritten && (
        <section className="panel" aria-labelledby="place-title">
          <h2 id="place-title">Where it is</h2>
          <HandoffGraph scenario={scenario} active={view.agent} isSmall />
        </section>
      )}
      {isRecorded && <RecordingPanel key={sessionId} sessionId={sessionId} recording={console.recording} />}
      <LatencyPanel latencies={view.latencies} limit={latestTurns} caller="the caller" />
      <TokenPanel latencies={view.latencies} />
      <CostPanel
        sessionId={sessionId}
        costs={console.costs}
        moment={`${view.latencies.length} ${endOf(state) ?? "live"}`}
      />
      <MessagesPanel
        sessionId={sessionId}
        messages={messages}
        sinceMs={state.messagesSinceMs}
        isOver={endOf(state) !== undefined}
      />
      <p className="panel hint">
        <a href={formatRoute({ page: "replay", sessionId })}>Step through what was decided</a>, and see what would be
        decided differently today.
      </p>
    </aside>
  );
}
