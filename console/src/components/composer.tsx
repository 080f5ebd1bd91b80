import { ArrowUp, Mic, MicOff, X } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import type { FormEvent } from "react";

import type { MicrophoneState } from "@voice/client-kit/audio/microphone-switch";
import { useKeptText } from "../use-kept-text.ts";
import { TooLong } from "./too-long.tsx";

/** The service's limit for a typed turn. */
const maxCharacters = 4000;

interface ComposerProps {
  readonly microphone: MicrophoneState;
  readonly isLive: boolean;
  /** There is a conversation to see, in the place of the welcome text. */
  readonly hasBegun: boolean;
  readonly onSend: (text: string) => void;
  readonly onStart: () => void;
  readonly onMute: () => void;
  readonly onEnd: () => void;
}

export function Composer({ microphone, isLive, hasBegun, onSend, onStart, onMute, onEnd }: ComposerProps) {
  const [text, setText] = useKeptText("message");
  const excess = text.trim().length - maxCharacters;
  const talk = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    // The button that was pressed disappears with the welcome text, so keyboard users continue here.
    if (hasBegun && document.activeElement === document.body) talk.current?.focus();
  }, [hasBegun]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === "" || excess > 0) return;
    onSend(text.trim());
    setText("");
    // A button that becomes disabled loses the focus, and the next words are typed here.
    field.current?.focus();
  };
  const end = (): void => {
    onEnd();
    // The button that was pressed disappears, and this one begins another conversation.
    talk.current?.focus();
  };
  const isOn = microphone === "on";
  const { label, action } = nextStep(microphone, isLive);
  return (
    <form className="composer" onSubmit={submit}>
      {excess > 0 && <TooLong id="message-problem" excess={excess} limit={maxCharacters} />}
      <button
        ref={talk}
        type="button"
        className={`pill-button microphone-${microphone}`}
        aria-disabled={microphone === "starting"}
        aria-label={action}
        title={action}
        onClick={isOn ? onMute : onStart}
      >
        {isLive && !isOn ? <MicOff className="icon" aria-hidden="true" /> : <Mic className="icon" aria-hidden="true" />}
        <span aria-hidden="true">{label}</span>
      </button>
      <div className="composer-field">
        <label className="visually-hidden" htmlFor="message">
          Message
        </label>
        <input
          ref={field}
          id="message"
          dir="auto"
          value={text}
          onChange={({ target }) => setText(target.value)}
          placeholder={isOn ? "Speak, or type a message…" : "Type a message…"}
          aria-invalid={excess > 0}
          aria-describedby={excess > 0 ? "message-problem" : undefined}
          autoComplete="off"
          enterKeyHint="send"
        />
        <button type="submit" className="send" aria-label="Send" disabled={text.trim() === "" || excess > 0}>
          <ArrowUp className="icon" aria-hidden="true" />
        </button>
      </div>
      {isLive && (
        <button type="button" className="pill-button pill-end" aria-label="End the conversation" onClick={end}>
          <X className="icon" aria-hidden="true" />
          <span aria-hidden="true">End</span>
        </button>
      )}
    </form>
  );
}

/** The button's action; its colour shows the state. */
function nextStep(microphone: MicrophoneState, isLive: boolean) {
  if (microphone === "starting") return { label: "Starting…", action: "Starting… the microphone" };
  if (microphone === "on") return { label: "Mute", action: "Mute the microphone" };
  return isLive
    ? { label: "Unmute", action: "Unmute the microphone" }
    : { label: "Talk", action: "Talk with the microphone" };
}
