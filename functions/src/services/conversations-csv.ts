/** The list of conversations as a file for a spreadsheet (RFC 4180). */
import type { conversationRow } from "@voice/shared/contracts/http/conversations";
import type { z } from "zod";

type Row = z.input<typeof conversationRow>;

const columns: Readonly<Record<string, (row: Row) => string | number | boolean | null>> = {
  started_at: (row) => row.started_at,
  ended_at: (row) => row.ended_at,
  duration_seconds: (row) => Math.round(row.duration_ms / 1000),
  channel: (row) => row.channel,
  direction: (row) => row.direction,
  who: (row) => row.who,
  scenario: (row) => row.scenario,
  agents: (row) => row.agents.join(" "),
  outcome: (row) => row.outcome,
  end_reason: (row) => row.end_reason,
  turns: (row) => row.turns,
  answer_p95_ms: (row) => row.answer_p95_ms,
  failures: (row) => row.failures,
  transferred: (row) => row.transferred,
  language: (row) => row.language,
  release: (row) => row.release,
  version: (row) => row.version,
  cost: (row) => row.cost?.amount ?? null,
  currency: (row) => row.cost?.currency ?? null,
  session_id: (row) => row.session_id,
  call_id: (row) => row.call_id,
  noted_outcome: (row) => row.noted?.outcome ?? null,
  summary: (row) => row.noted?.summary ?? null,
  fields: (row) => (row.noted == null ? null : JSON.stringify(row.noted.fields)),
};

export function toCsv(rows: readonly Row[]): string {
  const lines = [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((column) => cell(column(row))))];
  return lines.map((cells) => `${cells.join(",")}\r\n`).join("");
}

const phoneNumber = /^\+\d+$/;

function cell(value: string | number | boolean | null): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  // A spreadsheet takes such a text for a formula and runs it, and an address or a reason may be anybody's text.
  const text = /^[=+\-@\t\r]/.test(value) && !phoneNumber.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
