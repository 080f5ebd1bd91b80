/** Explains in words why something ended. The service's reasons are short codes for programs. */

const endings: Readonly<Record<string, string>> = {
  caller_left: "the caller left",
  connection_lost: "the connection to the caller was lost",
  caller_silent: "the caller said nothing any more",
  reset: "it was begun afresh",
  caller_done: "the caller was done",
  call_too_long: "it had lasted as long as it may",
  history_full: "it held as much text as it may",
  draining: "the service was restarting",
  finished: "it was over",
  transfer: "the call was put through to somebody",
  transferred: "the call was transferred",
  normal: "it was hung up here",
  operator: "an operator ended it",
  deleted: "it was deleted",
  voicemail: "an answering machine took the call",
  not_in_service: "the number is not in service",
  voicemail_message_left: "a message was left on an answering machine",
  too_many_failures: "too much went wrong",
  recogniser_lost: "speech recognition failed",
  realtime_lost: "the realtime model failed",
  voice_failed: "the agent’s voice failed",
  internal_error: "of a defect in the service",
  host_lost: "its host went away",
};

/** Those that the service gives; a tool's own may be anything. */
export const endReasonNames: readonly string[] = Object.keys(endings);

/** For a call that the service has placed, in which the person who hangs up is not the caller. */
const outgoingEndings: Readonly<Record<string, string>> = {
  caller_left: "the person called hung up",
  connection_lost: "the connection to the person called was lost",
  caller_silent: "the person called said nothing any more",
  caller_done: "the person called was done",
};

function endingOf(reason: string, isOutgoing: boolean): string | undefined {
  return (isOutgoing ? outgoingEndings[reason] : undefined) ?? endings[reason];
}

/** Completes "It ended because …"; a tool's reason, or a newer service's, is shown unchanged. */
export function endingInWords(reason: string, isOutgoing = false): string {
  return endingOf(reason, isOutgoing) ?? `of: ${reason.replaceAll("_", " ")}`;
}

/** Completes "Ended: …", where no "because" comes before it. */
export function endingAfterColon(reason: string, isOutgoing = false): string {
  return endingOf(reason, isOutgoing) ?? reason.replaceAll("_", " ");
}

const callUpdates: Readonly<Record<string, string>> = {
  CallConnected: "The call is connected.",
  CallDisconnected: "The call is over.",
  CallTransferAccepted: "The call was transferred.",
  CallTransferFailed: "The call could not be transferred.",
  accepted: "The call is being set up.",
  initiated: "The call is being placed.",
};

/** `undefined` for the technical events of a call. */
export function callUpdateInWords(update: string, status: string): string | undefined {
  const known = callUpdates[update];
  if (known !== undefined) return known;
  return status === "on_hold" ? "The call is on hold." : undefined;
}

export const answeredByInWords = {
  machine: "An answering machine took the call.",
  menu: "A telephone menu took the call.",
  not_in_service: "The network says that the number is not in service.",
} as const;

export const operatorActionInWords = {
  listening: "An operator listens in.",
  not_listening: "The operator does not listen in any more.",
  say: "An operator has the agent say a line.",
  transfer: "An operator transfers the call.",
  end: "An operator ends the conversation.",
  take_over: "A person takes over: the agent is silent.",
  hand_back: "The person hands the conversation back to the agent.",
  person_lost: "The connection of the person is lost, so the agent takes the conversation back.",
  hold: "The person puts the caller on hold.",
  resume: "The person takes the caller back from hold.",
  keys: "The person presses keys.",
} as const;

const lineRefusals: Readonly<Record<string, string>> = {
  conversation_ended: "the conversation ended first",
  too_many_lines: "ten other lines are waiting",
  voice_failed: "the agent’s voice failed",
  agent_silent: "no agent speaks in this conversation at the moment",
};

/** Completes "Not said. The reason: …"; a newer service's reason is shown unchanged. */
export function lineRefusalInWords(reason: string): string {
  return lineRefusals[reason] ?? reason.replaceAll("_", " ");
}

export const cutInWords = {
  length: "The model reached its token limit.",
  content_filter: "The model's content filter stopped the answer.",
} as const;

const ofAnotherService: ReadonlySet<string> = new Set([
  "upstream_unavailable",
  "upstream_timeout",
  "speech_quota_exceeded",
  "speech_region_unavailable",
]);

/** The cause of an upstream's failure is for operators, and is not in the message that callers get. */
export function errorInWords({ code, message }: { readonly code: string; readonly message: string }): string {
  return ofAnotherService.has(code) ? `${message} The System page says what has failed, and why.` : message;
}

export function newLanguageInWords(language: string): string {
  const name = new Intl.DisplayNames("en", { type: "language" }).of(language) ?? language;
  return `The caller speaks ${name} now.`;
}
