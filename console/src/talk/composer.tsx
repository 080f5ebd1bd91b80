import { useState } from "react";
import type { FormEvent } from "react";

import { EndIcon, MicrophoneIcon, MutedIcon, SendIcon } from "../components/icons.tsx";
import type { TalkState } from "./talk-session.ts";

/** The service's own limit for a typed turn. */
const maxCharacters = 4000;

interface ComposerProps {
  readonly microphone: TalkState["microphone"];
  readonly isLive: boolean;
  readonly onSend: (text: string) => void;
  readonly onStart: () => void;
  readonly onMute: () => void;
  readonly onEnd: () => void;
}

export function Composer({ microphone, isLive, onSend, onStart, onMute, onEnd }: ComposerProps) {
  const [text, setText] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === "") return;
    onSend(text.trim());
    setText("");
  };
  return (
    <form className="composer" onSubmit={submit}>
      <button
        type="button"
        className={`pill-button microphone-${microphone}`}
        aria-pressed={microphone === "on"}
        disabled={microphone === "starting"}
        onClick={microphone === "on" ? onMute : onStart}
      >
        {microphone === "on" ? <MutedIcon /> : <MicrophoneIcon />}
        <span>{microphone === "on" ? "Mute" : "Talk"}</span>
      </button>
      <label className="composer-field">
        <span className="visually-hidden">Message</span>
        <input
          value={text}
          onChange={({ target }) => setText(target.value)}
          placeholder={microphone === "on" ? "Speak, or type a message…" : "Type a message…"}
          maxLength={maxCharacters}
          autoComplete="off"
          enterKeyHint="send"
        />
        <button type="submit" className="send" aria-label="Send" disabled={text.trim() === ""}>
          <SendIcon />
        </button>
      </label>
      {isLive && (
        <button type="button" className="pill-button pill-end" onClick={onEnd}>
          <EndIcon />
          <span>End</span>
        </button>
      )}
    </form>
  );
}
