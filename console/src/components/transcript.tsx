import { memo, useContext, useEffect, useRef } from "react";

import { AgentLanguage } from "./agent-language.tsx";
import { maxEntries } from "../conversation/conversation-view.ts";
import type { ConversationView, Entry } from "../conversation/conversation-view.ts";
import { displayName } from "../display-name.ts";
import { AgentAvatar } from "./agent-avatar.tsx";
import { HandoffIcon } from "./icons.tsx";
import { ToolCall } from "./tool-call.tsx";

/** A reader closer to the end than this is assumed to be following. */
const followingPx = 80;

interface TranscriptProps {
  readonly view: ConversationView;
  /** The name of the other person: "You", or "Caller" when watching. */
  readonly callerName: string;
}

export function Transcript({ view, callerName }: TranscriptProps) {
  const list = useRef<HTMLDivElement>(null);
  const languageOf = useContext(AgentLanguage);
  const isFollowing = useRef(true);
  const latest = view.entries.at(-1);
  const justTyped = latest?.kind === "user" && latest.isPending ? latest.id : undefined;
  useEffect(() => {
    // A user who types while reading earlier messages wants to see the answer.
    if (justTyped !== undefined) isFollowing.current = true;
  }, [justTyped]);
  useEffect(() => {
    if (isFollowing.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [view.entries, view.interim, view.agentState]);
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    // A window that becomes lower shows the end as before.
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) element.scrollTo({ top: element.scrollHeight });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  return (
    <div
      className="transcript"
      ref={list}
      role="log"
      aria-label="Conversation"
      aria-live="polite"
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isFollowing.current = scrollHeight - scrollTop - clientHeight < followingPx;
      }}
    >
      {view.entries.length === maxEntries && (
        <p className="notice">Only the latest {maxEntries.toLocaleString()} entries are shown.</p>
      )}
      <ol>
        {view.entries.map((entry) => (
          <li key={entry.id} className={`entry entry-${entry.kind}`}>
            <EntryBody entry={entry} callerName={callerName} />
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
  );
}

interface EntryBodyProps {
  readonly entry: Entry;
  readonly callerName: string;
}

/** Every word of an answer changes one entry, and the others stay as they are. */
const EntryBody = memo(function EntryBody({ entry, callerName }: EntryBodyProps) {
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
          {entry.text}
        </p>
      );
    case "agent":
      return (
        <>
          <AgentAvatar name={entry.agent} />
          <div>
            <p className="speaker">
              {displayName(entry.agent)}
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
                {entry.text}
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
          <HandoffIcon />
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
