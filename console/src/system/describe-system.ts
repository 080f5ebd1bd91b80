/** Says in sentences how the service is, what does not work, and what to do about it. */
import type { Readiness, SystemHost } from "../api/system-api.ts";
import { displayName } from "../display-name.ts";

type Check = Readiness["checks"][number];

interface ComponentWords {
  readonly title: string;
  /** If it does not work. */
  readonly toDo: string;
}

const doctor = "npm run doctor, with the service’s settings, asks it and says what it refuses.";

const components: Readonly<Record<string, ComponentWords>> = {
  cache: {
    title: "State",
    toDo: "No conversation begins without it. See that Redis runs, and that CACHE_HOST and CACHE_PORT name it.",
  },
  language_model: { title: "Language model", toDo: `No agent answers without it. ${doctor}` },
  speech_services: { title: "Speech", toDo: `Nobody is heard, or nothing is said, without it. ${doctor}` },
  comm_caller: { title: "Phone calls", toDo: `Conversations in browsers go on. ${doctor}` },
  agents: { title: "Agents", toDo: "npm run catalog:check says what is wrong with the files." },
  auth_configuration: { title: "Sign-in", toDo: "Everybody is refused until the settings are right." },
  event_system: {
    title: "Events of calls",
    toDo: "Calls are neither placed nor answered until a streaming host takes their events: start one, or see why it stopped.",
  },
  recording_storage: {
    title: "Recordings",
    toDo: "Conversations go on without being recorded. See that the storage is there, is not full, and may be written to.",
  },
  app_configuration: { title: "Settings", toDo: "Until it answers, the settings of the environment are used." },
};

export function titleOf(component: string): string {
  return components[component]?.title ?? displayName(component);
}

export function isWell({ status }: Pick<Check, "status">): boolean {
  return status === "healthy";
}

/** What does not work comes first. */
export function causesFirst<T>(items: readonly T[], isHealthy: (item: T) => boolean): readonly T[] {
  return [...items.filter((item) => !isHealthy(item)), ...items.filter(isHealthy)];
}

/** Until the first answer, and while there is none. */
export function withoutReadiness(problems: readonly string[]): string {
  return problems.length === 0 ? "Asking…" : "Not known. Asking again every few seconds.";
}

export function readinessInWords({ status, checks }: Readiness): string {
  const broken = checks.filter((check) => !isWell(check)).map(({ component }) => titleOf(component).toLowerCase());
  const what = listInWords(broken);
  switch (status) {
    case "ready":
      return "The service is ready.";
    case "degraded":
      return what === "" ? "The service works, but not all of it." : `The service works, except for: ${what}.`;
    case "not_ready":
      return `No conversation can begin${what === "" ? "" : `. What does not work: ${what}`}.`;
    default:
      return `The service says of itself: ${status}.`;
  }
}

/** The state of a part as a sentence, with what to do if it does not work. */
export function checkInWords(check: Check): { readonly state: string; readonly toDo: string | undefined } {
  const state = sentence(check.error ?? check.details ?? (isWell(check) ? "works" : "does not work"));
  return { state, toDo: isWell(check) ? undefined : components[check.component]?.toDo };
}

/** Only a slow check is worth a figure. */
export function slownessInWords(tookMs: number): string | undefined {
  return tookMs < 200 ? undefined : `took ${(tookMs / 1000).toFixed(1)} s`;
}

const connectionNames: Readonly<Record<string, readonly [one: string, many: string]>> = {
  media: ["phone call", "phone calls"],
  browser: ["browser", "browsers"],
  telephony: ["telephony bridge", "telephony bridges"],
  dashboard: ["watching page", "watching pages"],
};

export function connectionsInWords(connections: SystemHost["connections"]): string {
  const open = Object.entries(connections).filter(([, count]) => count > 0);
  return (
    listInWords(
      open.map(([kind, count]) => {
        const [one, many] = connectionNames[kind] ?? [kind, kind];
        return `${count} ${count === 1 ? one : many}`;
      }),
    ) || "none"
  );
}

export function placesInWords({ sessions, max_sessions: places }: SystemHost): string {
  return `${sessions} now, and room for ${Math.max(0, places - sessions)} more`;
}

/** Connections to a speech service that are opened before somebody needs them. */
export function readyInWords(pool: SystemHost["pools"]["stt"]): string {
  const { warm_pool_size: size, warm_pool_target: target, warmup_failures: failures } = pool;
  const ready = target === 0 ? "none needed" : size >= target ? `${size} ready` : `${size} ready of ${target} wanted`;
  return failures === 0 ? ready : `${ready}; ${failures === 1 ? "one" : failures} could not be opened`;
}

const failures: Readonly<Record<string, string>> = {
  upstream_unavailable: "could not be reached, or refused",
  upstream_timeout: "did not answer in time",
  speech_quota_exceeded: "has no quota left",
  speech_region_unavailable: "could not be reached, or is not available in its region",
  rate_limited: "was asked too often",
};

export function failureInWords(code: string): string {
  return failures[code] ?? code.replaceAll("_", " ");
}

/** How long ago: exact to the unit that people would use. */
export function agoInWords(iso: string, nowMs: number): string {
  const minutes = Math.floor(Math.max(0, nowMs - Date.parse(iso)) / 60_000);
  if (minutes < 1) return "less than a minute ago";
  const [count, unit] =
    minutes < 60
      ? [minutes, "minute"]
      : minutes < 48 * 60
        ? [Math.floor(minutes / 60), "hour"]
        : [Math.floor(minutes / 1440), "day"];
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}

/** Milliseconds also in seconds, and bytes in kilobytes, where that is easier to read. */
export function settingInWords(name: string, value: string): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  if (name.endsWith("_MS")) return number < 1000 ? `${value} ms` : `${value} ms (${number / 1000} s)`;
  if (name.endsWith("_BYTES"))
    return number < 1024 ? `${value} bytes` : `${value} bytes (${Math.round(number / 1024)} KB)`;
  return name.endsWith("_MB") ? `${value} MB` : value;
}

function listInWords(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** The service writes causes as clauses, without a capital or a full stop. */
function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
