import { Mic, MicOff, X } from "lucide-react";

import { SpeechVisual } from "../components/speech-visual.tsx";
import type { Console } from "../create-console.ts";
import { displayName } from "../display-name.ts";
import { formatRoute } from "../route.ts";
import { useStore } from "../use-store.ts";
import type { TalkState } from "./talk-session.ts";

/** The user's own conversation, on every page but the one that shows it: who speaks, and what stops it. */
export function ConversationBar({ console }: { readonly console: Pick<Console, "talk" | "talkLevels"> }) {
  const { talk, talkLevels } = console;
  const state = useStore(talk.store);
  const { connection, microphone } = state;
  if (connection.kind === "idle" || connection.kind === "closed") return null;
  const isOn = microphone === "on";
  return (
    <section className="conversation-bar" aria-label="Your conversation">
      <p role="status">
        <strong>{describeStanding(state)}</strong>
        <span className="hint"> {describeMicrophone(microphone)}</span>
      </p>
      <SpeechVisual callerName="You" levels={talkLevels} />
      <div>
        <a className="pill-button" href={formatRoute({ page: "talk" })}>
          Open
        </a>
        <button
          type="button"
          className={`pill-button microphone-${microphone}`}
          aria-disabled={microphone === "starting"}
          onClick={() => (isOn ? talk.mute() : void talk.startTalking())}
        >
          {isOn ? <Mic className="icon" aria-hidden="true" /> : <MicOff className="icon" aria-hidden="true" />}
          <span>{isOn ? "Mute" : "Unmute"}</span>
        </button>
        <button type="button" className="pill-button pill-end" onClick={() => talk.end()}>
          <X className="icon" aria-hidden="true" />
          <span>End</span>
        </button>
      </div>
    </section>
  );
}

function describeStanding({ connection, view }: Pick<TalkState, "connection" | "view">): string {
  if (connection.kind === "connecting" && connection.attempt === 0) return "Connecting…";
  if (connection.kind !== "open") return "The connection was lost. Connecting again…";
  if (view.interim !== "") return "You are speaking.";
  if (view.agent === undefined) return "You are in a conversation.";
  const agent = displayName(view.agent);
  switch (view.agentState) {
    case "speaking":
      return `${agent} is speaking.`;
    case "thinking":
      return `${agent} is thinking.`;
    case "listening":
      return `${agent} is listening.`;
    case undefined:
      return `You are talking with ${agent}.`;
  }
}

function describeMicrophone(microphone: TalkState["microphone"]): string {
  switch (microphone) {
    case "on":
      return "Your microphone is on.";
    case "starting":
      return "Your microphone is starting.";
    case "off":
      return "Your microphone is off.";
  }
}
