/** Describes a conversation of the list in words: who is on the other side, and how it stands. */
import type { SessionInfo } from "../api/service-api.ts";
import { endingAfterColon } from "../conversation/reason-words.ts";
import { displayName } from "../display-name.ts";
import { durationInWords } from "../duration-in-words.ts";

const channels: Readonly<Record<string, string>> = {
  phone: "Phone call",
  browser: "Browser",
  media: "Media socket",
  telephony: "Telephony platform",
};

export function channelInWords(channel: string): string {
  return channels[channel] ?? displayName(channel);
}

/** A number or an address if one is known, otherwise where the conversation comes from. */
export function whoIsIt({ call, user_email: email, channel }: Pick<SessionInfo, "call" | "user_email" | "channel">) {
  if (call) return call.far_number ?? "Number withheld";
  return email ?? channelInWords(channel);
}

/** What the name does not say of where it comes from; empty if it says it. */
export function whereFrom({ call, user_email: email, channel }: Pick<SessionInfo, "call" | "user_email" | "channel">) {
  if (call) return call.direction === "inbound" ? "incoming" : "outgoing";
  return email ? channelInWords(channel).toLowerCase() : "";
}

const briefLength = 6;

/**
 * The beginning of its id, which tells it apart from others of the same name; empty where a number or an address does.
 * Every id that the service makes begins with `session-`.
 */
export function briefId({
  session_id: id,
  call,
  user_email: email,
}: Pick<SessionInfo, "session_id" | "call" | "user_email">): string {
  if (call?.far_number || email) return "";
  return id.replace(/^session-/, "").slice(0, briefLength);
}

type Lifetime = Pick<SessionInfo, "status" | "created_at" | "last_activity_at">;

/** `2:05`: until now, or until it ended. */
export function howLong({ status, created_at: began, last_activity_at: latest }: Lifetime, nowMs: number): string {
  const endMs = status === "ended" ? Date.parse(latest) : nowMs;
  return durationInWords(Math.max(0, Math.round((endMs - Date.parse(began)) / 1000)));
}

/** Empty if nothing failed, or nobody counted. */
export function failuresInWords(count: number | null | undefined): string {
  if (count === null || count === undefined || count === 0) return "";
  return count === 1 ? "one failure" : `${count} failures`;
}

export function standingOf({ status, end_reason: reason, call }: Pick<SessionInfo, "status" | "end_reason" | "call">) {
  if (status !== "ended") return "going on";
  return reason ? `ended: ${endingAfterColon(reason, call?.direction === "outbound")}` : "ended";
}
