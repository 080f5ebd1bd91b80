import { useEffect } from "react";

import { AgentPanel } from "../components/agent-panel.tsx";
import { ConnectionNotice } from "../components/connection-notice.tsx";
import { LatencyPanel } from "../components/latency-panel.tsx";
import { LevelMeter } from "../components/level-meter.tsx";
import { RecordingPanel } from "../components/recording-panel.tsx";
import { StageStatus } from "../components/stage-status.tsx";
import { Transcript } from "../components/transcript.tsx";
import type { Levels } from "../create-console.ts";
import { useStore } from "../use-store.ts";
import { SessionList } from "./session-list.tsx";
import type { WatchSession } from "./watch-session.ts";

const latestTurns = 12;

interface WatchPageProps {
  readonly watch: WatchSession;
  readonly sessionId: string | undefined;
  readonly levels: Levels;
}

export function WatchPage({ watch, sessionId, levels }: WatchPageProps) {
  const { sessions, failedCalls, listProblem, view, connection, isRecorded } = useStore(watch.store);
  useEffect(() => watch.watchList(), [watch]);
  useEffect(() => {
    watch.select(sessionId);
    return () => watch.select(undefined);
  }, [watch, sessionId]);
  const agents = view.agent === undefined ? [] : [{ name: view.agent, description: "" }];

  return (
    <main className="page page-watch">
      <SessionList sessions={sessions} failedCalls={failedCalls} problem={listProblem} selected={sessionId} />
      <section className="stage" aria-label="Conversation">
        <ConnectionNotice connection={connection} onRetry={() => watch.retry()} />
        {sessionId !== undefined && (
          <StageStatus connection={connection} agent={view.agent} agentState={view.agentState} />
        )}
        {sessionId === undefined ? (
          <div className="welcome">
            <h2>Watch a live conversation</h2>
            <p>
              Pick one from the list to follow what is said, who says it, which tools are called and how long each
              answer takes.
            </p>
          </div>
        ) : view.entries.length === 0 ? (
          <div className="welcome">
            <p>Nothing has been said yet.</p>
          </div>
        ) : (
          <Transcript view={view} callerName="Caller" />
        )}
      </section>
      {sessionId !== undefined && (
        <aside className="side" aria-label="Details">
          <AgentPanel
            agents={agents}
            emptyText="Nobody has spoken yet."
            activeAgent={view.agent}
            agentState={view.agentState}
          >
            <div className="meters">
              <LevelMeter label="Caller" level={levels.caller} />
              <LevelMeter label="Agent" level={levels.agent} />
            </div>
          </AgentPanel>
          {isRecorded && <RecordingPanel key={sessionId} sessionId={sessionId} />}
          <LatencyPanel latencies={view.latencies} limit={latestTurns} />
        </aside>
      )}
    </main>
  );
}
