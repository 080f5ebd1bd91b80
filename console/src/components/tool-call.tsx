import { BookOpen, Wrench } from "lucide-react";
import { Fragment } from "react";
import { z } from "zod";

import type { Entry } from "../conversation/conversation-view.ts";
import { lookedUpBy, whereFound } from "../conversation/looked-up.ts";
import type { LookedUp } from "../conversation/looked-up.ts";

type ToolEntry = Extract<Entry, { kind: "tool" }>;

const statusText = { started: "running…", success: "done", error: "failed" } as const;

export function ToolCall({ call }: { readonly call: ToolEntry }) {
  const lookedUp = lookedUpBy(call);
  return lookedUp === undefined ? (
    <Call call={call} />
  ) : (
    <AnsweredFrom lookedUp={lookedUp} durationMs={call.durationMs} />
  );
}

interface AnsweredFromProps {
  readonly lookedUp: LookedUp;
  readonly durationMs: number | undefined;
}

/** Lists the passages that an answer rests on, so that a reader can compare the answer with them. */
function AnsweredFrom({ lookedUp: { question, passages }, durationMs }: AnsweredFromProps) {
  const [best, ...others] = passages;
  return (
    <details className="tool tool-success">
      <summary>
        <BookOpen className="icon" aria-hidden="true" />
        {best === undefined ? (
          <span className="tool-args">Found nothing about “{question}”</span>
        ) : (
          <span className="tool-args">
            Answered from <strong>{whereFound(best)}</strong>
            {others.length > 0 && ` and ${others.length} more`}
          </span>
        )}
        {durationMs !== undefined && <span className="tool-status">{Math.round(durationMs)} ms</span>}
      </summary>
      <dl>
        <dt>Question</dt>
        <dd>{question}</dd>
        {passages.map((passage) => (
          <Fragment key={`${passage.source} ${passage.title} ${passage.text}`}>
            <dt>{whereFound(passage)}</dt>
            <dd className="passage">{passage.text}</dd>
          </Fragment>
        ))}
      </dl>
    </details>
  );
}

function Call({ call }: { readonly call: ToolEntry }) {
  return (
    <details className={`tool tool-${call.status}`}>
      <summary>
        <Wrench className="icon" aria-hidden="true" />
        <code>{call.name}</code>
        <span className="tool-args">{brief(call.args)}</span>
        <span className="tool-status">
          {statusText[call.status]}
          {call.status === "error" && reasonOf(call.result)}
          {call.durationMs !== undefined && ` · ${Math.round(call.durationMs)} ms`}
        </span>
      </summary>
      <dl>
        <dt>Arguments</dt>
        <dd>
          <pre>{JSON.stringify(call.args, undefined, 2)}</pre>
        </dd>
        <dt>Result</dt>
        <dd>
          <pre>{call.status === "started" ? "…" : JSON.stringify(call.result, undefined, 2)}</pre>
        </dd>
      </dl>
    </details>
  );
}

const failure = z.object({ error: z.string() });

/** Describes a failure by its code, because the agent's own sentence about it says little. */
function reasonOf(result: unknown): string {
  const { data } = failure.safeParse(result);
  return data === undefined ? "" : `: ${data.error.replaceAll("_", " ")}`;
}

function brief(args: Readonly<Record<string, unknown>>): string {
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}
