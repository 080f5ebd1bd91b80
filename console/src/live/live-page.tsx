import { Bell, BellOff, Ear, EarOff } from "lucide-react";
import { useEffect } from "react";

import type { Console } from "../create-console.ts";
import { agentStateInWords } from "../components/agent-panel.tsx";
import { ConnectionNotice } from "../components/connection-notice.tsx";
import { briefId } from "../conversations/describe-conversation.ts";
import { displayName } from "../display-name.ts";
import { formatDuration } from "../format-duration.ts";
import { formatRoute } from "../route.ts";
import { useStore } from "../use-store.ts";
import { silenceMs } from "./live-card.ts";
import type { Placed } from "./live-card.ts";
import type { WallCard } from "./live-session.ts";

interface LivePageProps {
  readonly console: Pick<Console, "liveWall" | "alertSound" | "listen" | "takeover">;
  readonly isOperator: boolean;
}

export function LivePage({ console: { liveWall, alertSound, listen, takeover }, isOperator }: LivePageProps) {
  const { cards, nowMs, connection, problem } = useStore(liveWall.store);
  const isLoud = useStore(alertSound.store);
  const listening = useStore(listen.store);
  const { taken } = useStore(takeover.store);
  useEffect(() => liveWall.watch(), [liveWall]);
  useEffect(
    () => () => {
      // Whoever has taken a conversation over goes on hearing it.
      if (takeover.store.get().taken === undefined) listen.stop();
    },
    [listen, takeover],
  );
  const needy = cards?.filter(({ need }) => need.level === 2).length ?? 0;
  return (
    <main className="page page-wall">
      <div className="page-head">
        <h2 className="page-title">Live</h2>
        <p className="hint" role="status">
          {describeWall(cards?.length, needy)}
        </p>
        <div className="page-actions">
          <button type="button" className="small-button" aria-pressed={isLoud} onClick={() => alertSound.toggle()}>
            {isLoud ? <Bell className="icon" aria-hidden="true" /> : <BellOff className="icon" aria-hidden="true" />}
            Alert sound
          </button>
        </div>
      </div>
      <ConnectionNotice connection={connection} onRetry={() => liveWall.retry()} />
      {problem !== undefined && (
        <p className="banner banner-warning" role="alert">
          The list could not be read: {problem}
        </p>
      )}
      {listening.kind === "failed" && (
        <p className="banner banner-warning" role="alert">
          {listening.problem}
        </p>
      )}
      {cards?.length === 0 && (
        <p className="panel hint">
          Nobody is talking now.{" "}
          <a href={formatRoute({ page: "conversations", sessionId: undefined })}>All conversations</a>
        </p>
      )}
      <ul className="wall" aria-label="Live conversations, those that need somebody first">
        {cards?.map((placed) => (
          <Card
            key={placed.card.sessionId}
            {...placed}
            nowMs={nowMs}
            isListening={listening.kind === "on" && listening.sessionId === placed.card.sessionId}
            onListen={
              // The connection of whoever has taken a conversation over carries their voice.
              isOperator && taken === undefined
                ? (isOn) => (isOn ? void listen.start(placed.card.sessionId) : listen.stop())
                : undefined
            }
          />
        ))}
      </ul>
    </main>
  );
}

function describeWall(count: number | undefined, needy: number): string {
  if (count === undefined) return "Loading…";
  const all = count === 1 ? "1 conversation" : `${count} conversations`;
  return needy === 0 ? all : `${all}, ${needy} ${needy === 1 ? "needs" : "need"} somebody`;
}

interface CardProps extends Placed<WallCard> {
  readonly nowMs: number;
  readonly isListening: boolean;
  /** Undefined for those who may not listen in, and for those who speak with a caller. */
  readonly onListen: ((isOn: boolean) => void) | undefined;
}

function Card({ card, need, nowMs, isListening, onListen }: CardProps) {
  const { sessionId, row, agent, state, words, startedAtMs } = card;
  const who = row.who ?? briefId(sessionId);
  const silentS = Math.floor(silenceMs(card, nowMs) / 1000);
  return (
    <li className="wall-card" data-need={need.level}>
      <p className="wall-head">
        <a href={formatRoute({ page: "conversations", sessionId })}>{who}</a>
        <span className="hint">{formatDuration(Math.max(0, (nowMs - startedAtMs) / 1000))}</span>
      </p>
      <p className="wall-state">
        <span className="wall-dot" data-state={state} aria-hidden="true" />
        {agent === undefined ? "Nobody has spoken yet" : displayName(agent)}
        {state !== undefined && <span className="hint"> {agentStateInWords[state]}</span>}
        {silentS > 2 && <span className="hint"> · {silentS} s of silence</span>}
      </p>
      <p className="wall-words" dir="auto">
        {words !== undefined && (
          <>
            <span className="hint">{words.speaker === "caller" ? "Caller: " : "Agent: "}</span>
            {words.text}
          </>
        )}
      </p>
      <p className="wall-foot">
        <span className="wall-need">{need.sentence}</span>
        {onListen !== undefined && (
          <button
            type="button"
            className="small-button"
            aria-pressed={isListening}
            aria-label={`${isListening ? "Stop listening to" : "Listen to"} ${who}`}
            onClick={() => onListen(!isListening)}
          >
            {isListening ? <EarOff className="icon" aria-hidden="true" /> : <Ear className="icon" aria-hidden="true" />}
            {isListening ? "Stop" : "Listen"}
          </button>
        )}
      </p>
    </li>
  );
}
