import { Wrench } from "lucide-react";
import { z } from "zod";

import type { Entry } from "../conversation/conversation-view.ts";

type ToolEntry = Extract<Entry, { kind: "tool" }>;

const statusText = { started: "running…", success: "done", error: "failed" } as const;

export function ToolCall({ call }: { readonly call: ToolEntry }) {
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

/** By its code, because the agent's own sentence about it says little. */
function reasonOf(result: unknown): string {
  const { data } = failure.safeParse(result);
  return data === undefined ? "" : `: ${data.error.replaceAll("_", " ")}`;
}

function brief(args: Readonly<Record<string, unknown>>): string {
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}
