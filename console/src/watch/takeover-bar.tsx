import { useState } from "react";

import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { Keypad } from "../components/keypad.tsx";
import { SteadyButton } from "../components/steady-button.tsx";
import { formatDuration } from "../format-duration.ts";
import { useKeptText } from "../use-kept-text.ts";
import { useSecond } from "../use-second.ts";
import { useStore } from "../use-store.ts";
import type { TakenOver, TakeoverSession } from "./takeover-session.ts";
import { FieldProblem } from "../components/field-problem.tsx";

/** Shown on every page while the operator has a conversation. */
export function TakeoverBar({ takeover }: { readonly takeover: TakeoverSession }) {
  const { taken, problem } = useStore(takeover.store);
  if (taken === undefined) return null;
  return <Bar key={taken.sessionId} takeover={takeover} taken={taken} problem={problem} />;
}

interface BarProps {
  readonly takeover: TakeoverSession;
  readonly taken: TakenOver;
  readonly problem: string | undefined;
}

function Bar({ takeover, taken, problem }: BarProps) {
  const { sessionId, isPhoneCall, phase, sinceMs, isMuted, isOnHold, isBusy } = taken;
  const [notes, setNotes] = useKeptText(`notes ${sessionId}`);
  const [asksToEnd, setAsksToEnd] = useState(false);
  const isOff = isBusy || phase === "starting";
  const handBack = async (): Promise<void> => {
    if (await takeover.handBack(notes.trim())) setNotes("");
  };
  return (
    <section className="phone-bar takeover-bar" aria-label="You have the conversation">
      <p role="status">
        <strong>
          {phase === "starting"
            ? "Taking over…"
            : isOnHold
              ? "The caller is on hold"
              : "You are speaking with the caller"}
        </strong>
        {isMuted && !isOnHold && <span> · muted</span>}
      </p>
      <Timer sinceMs={sinceMs} />
      <div className="takeover-buttons">
        <button
          type="button"
          className="pill-button"
          aria-pressed={isMuted}
          onClick={() => takeover.setMuted(!isMuted)}
        >
          {isMuted ? "Unmute" : "Mute"}
        </button>
        <SteadyButton className="pill-button" isOff={isOff} onClick={() => void takeover.setOnHold(!isOnHold)}>
          {isOnHold ? "Resume" : "Hold"}
        </SteadyButton>
        <SteadyButton className="pill-button pill-primary" isOff={isOff} onClick={() => void handBack()}>
          Hand back to the agent
        </SteadyButton>
        <SteadyButton className="pill-button pill-end" isOff={isOff} onClick={() => setAsksToEnd(true)}>
          End
        </SteadyButton>
      </div>
      <label className="takeover-notes">
        <span className="visually-hidden">Notes for the agent</span>
        <textarea
          rows={1}
          dir="auto"
          maxLength={2000}
          value={notes}
          placeholder="Notes for the agent that continues"
          onChange={({ target }) => setNotes(target.value)}
        />
      </label>
      {isPhoneCall && <Keypad isEnabled={!isOff} onPress={(key) => takeover.press(key)} />}
      <FieldProblem sentence={problem} />
      {asksToEnd && (
        <ConfirmDialog
          title="End this conversation?"
          text="The agent says goodbye to the caller, and the conversation is over."
          confirm="End conversation"
          onConfirm={() => {
            setAsksToEnd(false);
            void takeover.endConversation();
          }}
          onCancel={() => setAsksToEnd(false)}
        />
      )}
    </section>
  );
}

function Timer({ sinceMs }: { readonly sinceMs: number | undefined }) {
  const nowMs = useSecond(sinceMs !== undefined);
  if (sinceMs === undefined || nowMs === undefined) return null;
  return (
    <span className="takeover-timer" role="timer">
      {formatDuration(Math.max(0, (nowMs - sinceMs) / 1000))}
    </span>
  );
}
