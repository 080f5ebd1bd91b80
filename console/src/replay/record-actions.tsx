import { useState } from "react";
import type { FormEvent } from "react";

import { CopyButton } from "../components/copy-button.tsx";
import { downloadFile } from "../components/download-file.ts";
import { TooLong } from "../components/too-long.tsx";
import { testOf } from "./replay-session.ts";
import type { OpenedRecord } from "./replay-session.ts";

interface RecordActionsProps {
  readonly opened: OpenedRecord;
  /** It was read from the service, not from a file. */
  readonly isSession: boolean;
}

/** The longest name of a record. It becomes the name of a file. */
const maxCharacters = 200;

/** Saves a record, as a test or unchanged. */
export function RecordActions({ opened, isSession }: RecordActionsProps) {
  const [name, setName] = useState("");
  const [made, setMade] = useState<string>();
  const excess = name.trim().length - maxCharacters;
  const isName = /[a-z0-9]/i.test(name) && excess <= 0;
  const command = commandOf(opened.record.session_id, name.trim());
  const makeTest = (event: FormEvent): void => {
    event.preventDefault();
    if (!isName) return;
    const { fileName, text } = testOf(opened, name.trim());
    downloadJson(fileName, text);
    setMade(fileName);
  };
  return (
    <>
      <form className="record-actions" onSubmit={makeTest}>
        <label>
          <span className="visually-hidden">What it shows</span>
          <input
            value={name}
            placeholder="What it shows, such as: the caller interrupts twice"
            aria-invalid={excess > 0}
            aria-describedby={excess > 0 ? "name-problem" : undefined}
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <button type="submit" className="pill-button pill-primary" disabled={!isName}>
          Make a test of it
        </button>
        <button
          type="button"
          className="pill-button"
          onClick={() => downloadJson(`${opened.record.session_id}.json`, JSON.stringify(opened.record))}
        >
          Download the record
        </button>
        {excess > 0 && <TooLong id="name-problem" excess={excess} limit={maxCharacters} purpose="for a file’s name" />}
      </form>
      <p className="hint" role="status">
        {made === undefined
          ? "A test is the record with today’s decisions. It has the caller’s words: read it before you keep it."
          : `${made} was downloaded. It is a test once it lies in streaming-host/src/session/flight/kept.`}
      </p>
      {isSession && (
        <p className="hint replay-command">
          Where the code is, one command does both: <code>{command}</code>{" "}
          <CopyButton label="Copy the command" text={() => command} />
        </p>
      )}
    </>
  );
}

function downloadJson(fileName: string, text: string): void {
  downloadFile(fileName, new Blob([text], { type: "application/json" }));
}

function commandOf(sessionId: string, name: string): string {
  const shows = (name === "" ? "what it shows" : name).replaceAll(/["$`\\!]/g, "");
  return `npm run replay -- ${sessionId} --keep "${shows}" --url ${window.location.origin}`;
}
