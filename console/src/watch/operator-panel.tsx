import { useRef, useState } from "react";
import type { FormEvent } from "react";

import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { SteadyButton } from "../components/steady-button.tsx";
import { TooLong } from "../components/too-long.tsx";
import { TransferForm } from "../components/transfer-form.tsx";
import type { ConnectionState } from "@voice/client-kit/connection/reconnecting-socket";
import { useKeptText } from "../use-kept-text.ts";
import { useStore } from "../use-store.ts";
import type { ListenSession } from "./listen-session.ts";
import type { TakeoverSession } from "./takeover-session.ts";
import type { OperatorSession } from "./operator-session.ts";

interface OperatorPanelProps {
  readonly sessionId: string;
  readonly isPhoneCall: boolean;
  /** No agent takes part: nobody says a line or a goodbye, or transfers the call. */
  readonly isWrittenDown: boolean;
  readonly listen: ListenSession;
  readonly operator: OperatorSession;
  readonly takeover: TakeoverSession;
  /** This browser's number, if it is a phone that the call could be taken over with. */
  readonly ownNumber: string | undefined;
}

/** An operator's actions on a conversation in progress. */
export function OperatorPanel(props: OperatorPanelProps) {
  const { sessionId, isPhoneCall, isWrittenDown, listen, operator, takeover, ownNumber } = props;
  const { taken, note, problem: takeoverProblem } = useStore(takeover.store);
  const { isBusy, done, problem } = useStore(operator.store);
  const [asksToEnd, setAsksToEnd] = useState(false);
  return (
    <section className="operator" aria-label="Operator">
      {!isWrittenDown && taken === undefined && (
        <SayForm sessionId={sessionId} isBusy={isBusy} onSay={(text) => operator.say(sessionId, text)} />
      )}
      <div className="operator-buttons">
        {!isWrittenDown && taken === undefined && (
          <button
            type="button"
            className="pill-button pill-primary"
            onClick={() => void takeover.start(sessionId, isPhoneCall)}
          >
            Take over
          </button>
        )}
        {taken === undefined && <ListenButton sessionId={sessionId} listen={listen} />}
        {/* Whoever has taken it over has the bar's, which also gives the microphone back. */}
        {taken?.sessionId !== sessionId && (
          <SteadyButton className="pill-button pill-end" isOff={isBusy} onClick={() => setAsksToEnd(true)}>
            End conversation
          </SteadyButton>
        )}
        {isPhoneCall && !isWrittenDown && (
          <TransferForm
            key={ownNumber}
            about={sessionId}
            isBusy={isBusy}
            initial={ownNumber}
            onTransfer={(number) => void operator.transfer(sessionId, number)}
          />
        )}
      </div>
      <p className="hint" role="status">
        {isBusy ? "Asking…" : (done ?? note)}
      </p>
      {[problem, taken === undefined ? takeoverProblem : undefined].map(
        (text) =>
          text !== undefined && (
            <p key={text} className="field-problem" role="alert">
              {text}
            </p>
          ),
      )}
      {asksToEnd && (
        <ConfirmDialog
          title="End this conversation?"
          text={
            isWrittenDown
              ? "It is over at once: no agent takes part in it who could say goodbye to the caller."
              : "The agent says goodbye to the caller, and the conversation is over."
          }
          confirm="End conversation"
          onConfirm={() => {
            setAsksToEnd(false);
            void operator.end(sessionId);
          }}
          onCancel={() => setAsksToEnd(false)}
        />
      )}
    </section>
  );
}

/** The service's limit for a line. */
const maxCharacters = 1000;

interface SayFormProps {
  readonly sessionId: string;
  readonly isBusy: boolean;
  readonly onSay: (text: string) => Promise<boolean>;
}

function SayForm({ sessionId, isBusy, onSay }: SayFormProps) {
  const [text, setText] = useKeptText(`line ${sessionId}`);
  const excess = text.trim().length - maxCharacters;
  const field = useRef<HTMLInputElement>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    // The next line is typed here.
    field.current?.focus();
    if (text.trim() !== "" && excess <= 0 && (await onSay(text.trim()))) setText("");
  };
  return (
    <form className="operator-form" onSubmit={(event) => void submit(event)}>
      <label className="visually-hidden" htmlFor="line">
        A line for the agent to say
      </label>
      <input
        ref={field}
        id="line"
        dir="auto"
        value={text}
        aria-invalid={excess > 0}
        aria-describedby={excess > 0 ? "line-problem" : undefined}
        placeholder="Have the agent say…"
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
      />
      <SteadyButton type="submit" className="pill-button" isOff={isBusy || text.trim() === "" || excess > 0}>
        Say
      </SteadyButton>
      {excess > 0 && <TooLong id="line-problem" excess={excess} limit={maxCharacters} />}
    </form>
  );
}

function ListenButton({ sessionId, listen }: { readonly sessionId: string; readonly listen: ListenSession }) {
  const state = useStore(listen.store);
  const isOn = state.kind === "on";
  return (
    <>
      <button
        type="button"
        className={isOn ? "pill-button pill-primary" : "pill-button"}
        onClick={() => (isOn ? listen.stop() : void listen.start(sessionId))}
      >
        {isOn ? "Stop listening" : "Listen in"}
      </button>
      {state.kind === "failed" && <span className="field-problem">{state.problem}</span>}
      {isOn && <ListenNews connection={state.connection} />}
    </>
  );
}

function ListenNews({ connection }: { readonly connection: ConnectionState }) {
  switch (connection.kind) {
    case "idle":
    case "open":
      return null;
    case "connecting":
    case "waiting":
      return (
        <span className="hint" role="status">
          Connecting…
        </span>
      );
    case "closed":
      return (
        <span className="field-problem" role="alert">
          Nothing is heard{connection.detail === "" ? "." : `: ${connection.detail.replace(/\.$/, "")}.`} Stop, and
          listen in again.
        </span>
      );
    default:
      return connection satisfies never;
  }
}
