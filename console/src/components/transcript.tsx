import { ArrowLeftRight } from "lucide-react";
import { memo, useContext } from "react";
import type { ReactNode } from "react";

import { AgentLanguage } from "./agent-language.tsx";
import { maxEntries } from "../conversation/conversation-view.ts";
import type { ConversationView, Entry } from "../conversation/conversation-view.ts";
import { clockOf } from "../conversation/clock-of.ts";
import type { PlacedEntry, PlayedAt } from "../conversation/timeline.ts";
import { displayName } from "../display-name.ts";
import { AgentAvatar } from "./agent-avatar.tsx";
import { ToolCall } from "./tool-call.tsx";
import { useFollowing } from "./use-following.ts";

interface TranscriptProps {
  readonly view: ConversationView;
  /** The name of the other person: "You", or "Caller" when watching. */
  readonly callerName: string;
  /** Where the entries stand on a line of time; undefined on a page without one. */
  readonly track?: TranscriptTrack;
}

interface TranscriptTrack {
  /** In milliseconds after the beginning of the conversation. */
  readonly startMsOf: (entry: Entry) => number;
  /** What stands beside an entry, such as how long an answer took. */
  readonly beside: (entry: Entry) => ReactNode;
  /** The user's own lines stand at the right, as in a chat. */
  readonly isChat?: boolean;
  /** Where an entry stands in the recording. */
  readonly placeOf?: (entryId: number) => PlacedEntry | undefined;
  /** What is heard at the moment, which is kept in view. */
  readonly played?: PlayedAt | undefined;
  /** An entry to be brought into view; another object for each request. */
  readonly picked?: { readonly entryId: number } | undefined;
  /** Undefined if there is no sound. */
  readonly onPlay?: ((ms: number) => void) | undefined;
  /** A conversation that is over is read from its beginning. */
  readonly beginsAtStart?: boolean;
}

export function Transcript({ view, callerName, track }: TranscriptProps) {
  const languageOf = useContext(AgentLanguage);
  const { list, isAway, onScroll, toNewest } = useFollowing(view, track);
  const played = track?.played;
  return (
    <div className="transcript-frame">
      <div
        className={classOf(track)}
        ref={list}
        role="log"
        aria-label="Conversation"
        aria-live="polite"
        tabIndex={0}
        onScroll={onScroll}
      >
        {view.entries.length === maxEntries && (
          <p className="notice">Only the latest {maxEntries.toLocaleString()} entries are shown.</p>
        )}
        <ol>
          {view.entries.map((entry) => (
            <li key={entry.id} id={`entry-${entry.id}`} className={`entry entry-${entry.kind}`}>
              {track !== undefined && (
                <EntryTime
                  entry={entry}
                  startMs={track.startMsOf(entry)}
                  hasSound={(track.placeOf?.(entry.id)?.sentences ?? unplaced).length > 0}
                  onPlay={track.onPlay}
                />
              )}
              <EntryBody
                entry={entry}
                callerName={callerName}
                sentences={track?.placeOf?.(entry.id)?.sentences ?? unplaced}
                current={played?.entryId === entry.id ? played.sentence : undefined}
                onPlay={track?.onPlay}
              />
              {track?.beside(entry)}
            </li>
          ))}
          {view.interim !== "" && (
            <li className="entry entry-user entry-interim">
              <p className="bubble" dir="auto" lang={languageOf(view.agent ?? "")}>
                {view.interim}
              </p>
            </li>
          )}
          {view.agentState === "thinking" && (
            <li className="entry entry-thinking" aria-label="The agent is thinking">
              <i />
              <i />
              <i />
            </li>
          )}
        </ol>
      </div>
      {isAway && (
        <button type="button" className="pill-button to-newest" onClick={toNewest}>
          Jump to newest
        </button>
      )}
    </div>
  );
}

function classOf(track: TranscriptTrack | undefined): string {
  if (track === undefined) return "transcript";
  return track.isChat === true ? "transcript transcript-tracked transcript-chat" : "transcript transcript-tracked";
}

const unplaced: PlacedEntry["sentences"] = [];

interface EntryTimeProps {
  readonly entry: Entry;
  readonly startMs: number;
  readonly hasSound: boolean;
  readonly onPlay: ((ms: number) => void) | undefined;
}

function EntryTime({ entry, startMs, hasSound, onPlay }: EntryTimeProps) {
  const clock = clockOf(startMs);
  const title = new Date(entry.at).toLocaleString();
  if (onPlay === undefined || !hasSound)
    return (
      <time className="entry-time" dateTime={entry.at} title={title}>
        {clock}
      </time>
    );
  return (
    <button
      type="button"
      className="entry-time"
      title={title}
      aria-label={`Play from ${clock}`}
      onClick={() => onPlay(startMs)}
    >
      {clock}
    </button>
  );
}

interface EntryBodyProps {
  readonly entry: Entry;
  readonly callerName: string;
  /** The entry's sentences in the recording. */
  readonly sentences: PlacedEntry["sentences"];
  /** Which of them is heard at the moment. */
  readonly current: number | undefined;
  readonly onPlay: ((ms: number) => void) | undefined;
}

type SpokenTextProps = Pick<EntryBodyProps, "sentences" | "current" | "onPlay"> & { readonly text: string };

/** A click on a sentence plays from there. */
function SpokenText({ text, sentences, current, onPlay }: SpokenTextProps) {
  if (onPlay === undefined || sentences.length === 0) return text;
  return sentences.map(({ text: part, startMs }, index) => (
    // A button of the browser does not break between lines, as text has to.
    <span
      key={`${startMs} ${part}`}
      role="button"
      tabIndex={0}
      className="sentence"
      aria-current={index === current ? "true" : undefined}
      onClick={() => onPlay(startMs)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        onPlay(startMs);
      }}
    >
      {index === 0 ? part : ` ${part}`}
    </span>
  ));
}

/** Every word of an answer changes one entry, and the others stay as they are. */
const EntryBody = memo(function EntryBody({ entry, callerName, ...spoken }: EntryBodyProps) {
  const languageOf = useContext(AgentLanguage);
  switch (entry.kind) {
    case "user":
      return (
        <p
          className={entry.isPending ? "bubble bubble-pending" : "bubble"}
          dir="auto"
          lang={entry.language ?? languageOf(entry.agent ?? "")}
        >
          {/* With a direction of its own, the name does not determine that of the text. */}
          <span className="visually-hidden" dir="ltr" lang="en">
            {callerName}:{" "}
          </span>
          <SpokenText text={entry.text} {...spoken} />
        </p>
      );
    case "agent":
      return (
        <>
          <AgentAvatar name={entry.agent} />
          <div>
            <p className="speaker">
              {entry.author === "person" ? "Operator" : displayName(entry.agent)}
              {entry.author === "operator" && <span className="tag">for an operator</span>}
              {entry.isInterrupted && <span className="tag">interrupted</span>}
              {entry.guardrails !== undefined && (
                <span className="tag" title="Said otherwise or not at all">
                  held back by guardrail {entry.guardrails.join(", ")}
                </span>
              )}
            </p>
            {(entry.text !== "" || entry.unheard !== "") && (
              <p className="bubble" dir="auto" lang={languageOf(entry.agent)}>
                <SpokenText text={entry.text} {...spoken} />
                {entry.unheard !== "" && <del title="Not heard: the caller spoke over it">{entry.unheard}</del>}
              </p>
            )}
          </div>
        </>
      );
    case "tool":
      return <ToolCall call={entry} />;
    case "handoff":
      return (
        <p className="divider">
          <ArrowLeftRight className="icon" aria-hidden="true" />
          <span>
            {displayName(entry.from)} hands over to <strong>{displayName(entry.to)}</strong>
          </span>
        </p>
      );
    case "notice":
      return (
        <p className={`notice notice-${entry.tone}`} role={entry.tone === "error" ? "alert" : undefined}>
          {entry.text}
        </p>
      );
    default:
      return entry satisfies never;
  }
});
