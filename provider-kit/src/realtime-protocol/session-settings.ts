/**
 * Makes a session's settings acceptable to a service that rejects a part of them, within the same opening, and remembers what was rejected
 * for later sessions. The rejection names the part (`param`, or a name in its message); if it names none, the parts that a conversation can
 * do without are searched by bisection. Nothing here knows a vendor's names: a part is a path in what was sent.
 */
import { isPlainObject } from "@voice/shared/platform/plain-object";
import { RecentlyUsed } from "@voice/shared/platform/recently-used";
import type { WireObject } from "./wire-object.ts";

export interface SettingsRefusal {
  readonly code: string;
  readonly param?: string | undefined;
  readonly message?: string | undefined;
}

export interface SettingsTerms {
  /** Paths such as `audio.input.format`, without which there is no conversation. Elements of a list can be left out, but not the list. */
  readonly essential: readonly string[];
  /** The substitute for a part that was rejected; undefined leaves it out. Each value is offered once, so the sequence ends. */
  instead(path: string, value: unknown): unknown;
}

/** For logs, metrics and readiness. It contains no values except the names of models and kinds, because values may be personal. */
export interface SettingsRepair {
  readonly part: string;
  readonly how: "left_out" | "replaced";
  /** Text for people. */
  readonly note: string;
}

/** Stands for a value that is left out. */
const removed = Symbol("removed");

/** Some hundreds of values; a list of phrases counts as one. */
const maxCharacters = 100_000;
const mostNotes = 20;
/** The field by which a service distinguishes kinds of the same object. Without it the object has no meaning. */
const identifying = ["type", "model", "name"];

/** What one service has rejected for one model; shared by its sessions. */
export class LearntSettings {
  readonly terms: SettingsTerms;
  readonly #refused = new RecentlyUsed<true>(maxCharacters);
  readonly #working = new RecentlyUsed<true>(maxCharacters);
  readonly #notes = new Set<string>();

  constructor(terms: SettingsTerms) {
    this.terms = terms;
  }

  /** Text for people, the newest last. */
  get notes(): readonly string[] {
    return [...this.#notes];
  }

  /** The settings as the service is known to accept them. `more`: rejections that are not proven yet. */
  apply(settings: WireObject, more: ReadonlySet<string> = new Set()): WireObject {
    const walked = this.#walk("", settings, more);
    return isPlainObject(walked) ? walked : {};
  }

  learn(keys: Iterable<string>): void {
    for (const key of keys) this.#refused.set(key, true, key.length);
  }

  /** This kind or model was accepted as a setting, and turned out not to work. */
  refuse(part: string, field: string, value: WireObject, code: string): SettingsRepair {
    this.learn([refusedValue(join(part, field), value[field])]);
    return repairOf(part, value, this.terms.instead(part, value), code);
  }

  isRefused(part: string, value: WireObject): boolean {
    return this.#isRefused(part, value, new Set());
  }

  /** Returns false if the note is already known. */
  note(text: string): boolean {
    if (this.#notes.has(text)) return false;
    this.#notes.add(text);
    const [oldest] = this.#notes;
    if (this.#notes.size > mostNotes && oldest !== undefined) this.#notes.delete(oldest);
    return true;
  }

  /** This kind or model has been proven to work. */
  works(part: string, kind: string): void {
    if (!this.isWorking(part, kind)) this.#working.set(refusedValue(part, kind), true, part.length + kind.length);
  }

  isWorking(part: string, kind: string): boolean {
    return this.#working.get(refusedValue(part, kind)) === true;
  }

  /** There is a substitute for this value. */
  hasOther(part: string, value: WireObject): boolean {
    return this.terms.instead(part, value) !== undefined;
  }

  #walk(path: string, value: unknown, more: ReadonlySet<string>): unknown {
    if (path !== "" && this.#isRefused(path, value, more)) {
      const other = this.terms.instead(path, value);
      return other === undefined ? removed : this.#walk(path, other, more);
    }
    if (Array.isArray(value))
      return value.map((element: unknown) => this.#walk(`${path}[]`, element, more)).filter((item) => item !== removed);
    if (!isPlainObject(value)) return value;
    const fields = Object.entries(value).map(
      ([name, field]) => [name, this.#walk(join(path, name), field, more)] as const,
    );
    return Object.fromEntries(fields.filter(([, field]) => field !== removed));
  }

  #isRefused(path: string, value: unknown, more: ReadonlySet<string>): boolean {
    const has = (key: string): boolean => more.has(key) || this.#refused.get(key) === true;
    if (has(refusedName(path)) || has(refusedValue(path, value))) return true;
    if (!isPlainObject(value)) return false;
    return identifying.some((name) => name in value && has(refusedValue(join(path, name), value[name])));
  }
}

interface Search {
  readonly all: readonly string[];
  /** Parts that were accepted together. */
  readonly good: readonly string[];
  /** At least one of these parts is rejected. */
  readonly suspects: readonly string[];
  /** The suspects that are being sent now. */
  readonly tried: readonly string[];
  readonly refusal: SettingsRefusal;
}

/** Finds the settings that the service accepts for one session: what to send next after each of its responses. */
export class SettingsNegotiation {
  readonly #learnt: LearntSettings;
  readonly #full: WireObject;
  readonly #pending = new Set<string>();
  readonly #repairs: SettingsRepair[] = [];
  #search: Search | undefined;
  #omitted: readonly string[] = [];
  #left = 32;

  constructor(learnt: LearntSettings, full: WireObject) {
    this.#learnt = learnt;
    this.#full = full;
  }

  get toSend(): WireObject {
    const known = this.#learnt.apply(this.#full, this.#pending);
    return this.#omitted.reduce((session, path) => without(session, path.split(".")), known);
  }

  /** What was changed, once the service has accepted the rest. */
  get repairs(): readonly SettingsRepair[] {
    return this.#repairs;
  }

  /** The part that a rejection is about, if it names one that can be changed. */
  partOf({ param, message }: SettingsRefusal): string | undefined {
    const sent = this.toSend;
    const names = [param, ...namesIn(message)].filter((name) => name !== undefined);
    const paths = [
      ...names.map((name) => locate(sent, name)),
      ...quotedIn(message).map((text) => withValue(sent, text)),
    ];
    for (const path of paths) {
      const part = path && this.#changeable(path);
      if (part !== undefined) return part;
    }
    return undefined;
  }

  /** True if something else should be sent. */
  refused(refusal: SettingsRefusal): boolean {
    this.#left -= 1;
    if (this.#left === 0) return false;
    const part = this.partOf(refusal);
    if (part !== undefined) {
      this.#endSearch();
      return this.#change(part, refusal);
    }
    return this.#search === undefined ? this.#beginSearch(refusal) : this.#narrow(this.#search, { isAccepted: false });
  }

  /** True if these settings are final. Otherwise the service may accept more of them, and `toSend` is sent next. */
  accepted(): boolean {
    if (this.#search !== undefined) {
      this.#narrow(this.#search, { isAccepted: true });
      return false;
    }
    this.#learnt.learn(this.#pending);
    return true;
  }

  #beginSearch(refusal: SettingsRefusal): boolean {
    const suspects = optionalParts(this.toSend, this.#learnt.terms.essential);
    if (suspects.length === 0) return false;
    this.#search = { all: suspects, good: [], suspects, tried: [], refusal };
    this.#omitted = suspects;
    return true;
  }

  #narrow({ all, good, suspects, tried, refusal }: Search, { isAccepted }: { readonly isAccepted: boolean }): boolean {
    if (!isAccepted && tried.length === 0) return false; // not even the essential parts
    const next = isAccepted
      ? { good: [...good, ...tried], suspects: suspects.filter((part) => !tried.includes(part)) }
      : { good, suspects: tried };
    const [culprit] = next.suspects;
    // Even a single remaining suspect is tried: the first rejection may have had a cause that is in no part.
    const isProven = !isAccepted && next.suspects.length === 1;
    if (culprit === undefined || isProven) {
      this.#endSearch();
      return culprit === undefined || this.#change(culprit, refusal);
    }
    const half = next.suspects.slice(0, Math.ceil(next.suspects.length / 2));
    this.#search = { ...next, all, tried: half, refusal };
    this.#omitted = all.filter((part) => !half.includes(part) && !next.good.includes(part));
    return true;
  }

  #endSearch(): void {
    this.#search = undefined;
    this.#omitted = [];
  }

  #change(path: string, { code }: SettingsRefusal): boolean {
    const segments = path.split(".");
    const last = segments.at(-1) ?? "";
    const holder = segments.slice(0, -1);
    const isKind = identifying.includes(last) && holder.length > 0;
    // All tools have the same type, so if the type of one is rejected, the rejection is about that tool.
    const isOfElement = isKind && last === "type" && isIndex(holder.at(-1));
    const changed = isKind ? holder : segments;
    const value = at(this.toSend, changed);
    const name = general(changed);
    if (isKind && !isOfElement) this.#pending.add(refusedValue(general(segments), at(value, [last])));
    else if (code === "unknown_parameter" && !isOfElement) this.#pending.add(refusedName(name));
    else this.#pending.add(refusedValue(name, value));
    this.#repairs.push(repairOf(name, value, this.#learnt.terms.instead(name, value), code));
    return true;
  }

  /** Undefined for a part that is essential or contains something essential. */
  #changeable(path: readonly string[]): string | undefined {
    const { essential } = this.#learnt.terms;
    const part = path.join(".");
    if (essential.some((kept) => kept === part || kept.startsWith(`${part}.`))) return undefined;
    const around = essential.find((kept) => part.startsWith(`${kept}.`));
    const isElement = around === undefined || isIndex(path[around.split(".").length]);
    return isElement ? part : undefined;
  }
}

/** The largest parts that contain nothing essential. */
function optionalParts(session: WireObject, essential: readonly string[], around = ""): readonly string[] {
  return Object.entries(session).flatMap(([name, value]) => {
    const path = join(around, name);
    if (essential.includes(path)) return [];
    const holdsEssential = essential.some((kept) => kept.startsWith(`${path}.`));
    return holdsEssential && isPlainObject(value) ? optionalParts(value, essential, path) : [path];
  });
}

/**
 * Finds a named part in what was sent: by a path such as `session.tools[3].name`, `/session/tools/3/name` or `body.session['tools'][3]`, as
 * far as it exists; by a place whose name has the same words (`input_audio_transcription` is `audio.input.transcription`); or as the only
 * place with a field of that name.
 */
function locate(sent: WireObject, name: string): readonly string[] | undefined {
  const segments = name.split(/[^\p{L}\p{N}_-]+/u).filter((segment) => segment !== "");
  const path = segments.slice(segments.lastIndexOf("session") + 1);
  const words = wordsOf(path);
  const alike = pathsOf(sent).filter((other) => wordsOf(other) === words);
  for (let length = path.length; length > 0; length--)
    if (at(sent, path.slice(0, length)) !== undefined)
      return length < path.length && alike.length === 1 ? alike[0] : path.slice(0, length);
  if (alike.length === 1) return alike[0];
  for (const segment of path.toReversed()) {
    const places = pathsOf(sent).filter((other) => other.at(-1) === segment);
    if (places.length === 1) return places[0];
  }
  return undefined;
}

/** Without regard to order: `inputAudioFormat`, `input_audio_format` and `audio.input.format` are the same. */
function wordsOf(path: readonly string[]): string {
  const words = path.flatMap((segment) =>
    segment
      .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, "_")
      .toLowerCase()
      .split(/[_-]/),
  );
  return words.toSorted().join(" ");
}

function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([key, field]) => [[...path, key], ...pathsOf(field, [...path, key])]);
}

/** For `Model "first" is not supported.`: the only place that contains this value. */
function withValue(sent: WireObject, value: string): readonly string[] | undefined {
  const places = pathsOf(sent).filter((path) => at(sent, path) === value);
  return places.length === 1 ? places[0] : undefined;
}

function quotedIn(message = ""): readonly string[] {
  return [...message.matchAll(/(['"`])(.{1,80}?)\1/g)].map(([, , text = ""]) => text);
}

/** Names in a message: in quotation marks, or in a notation that only fields have. */
function namesIn(message: string | undefined): readonly string[] {
  if (message === undefined) return [];
  const quoted = [...message.matchAll(/['"`]([A-Za-z/$][\w./$[\]]*)['"`]/g)].map(([, name]) => name);
  return [...quoted, ...(message.match(/\b[a-z]+(?:[._][a-z\d_[\]]+)+/g) ?? [])].filter((name) => name !== undefined);
}

export function at(value: unknown, path: readonly string[]): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (Array.isArray(value)) return at(value[Number(first)], rest);
  return isPlainObject(value) ? at(value[first], rest) : undefined;
}

function without(session: WireObject, [first = "", ...rest]: readonly string[]): WireObject {
  const { [first]: value, ...others } = session;
  return rest.length === 0 || !isPlainObject(value) ? others : { ...session, [first]: without(value, rest) };
}

function repairOf(part: string, value: unknown, other: unknown, code: string): SettingsRepair {
  const named = (of: unknown): string => (kindOf(of) === undefined ? "" : ` ${kindOf(of)}`);
  const how = other === undefined ? "left_out" : "replaced";
  const note = `${part}${named(value)} was refused (${code}) and is ${how === "left_out" ? "left out" : `replaced by${named(other)}`}`;
  return { part, how, note };
}

/** All elements of a list count as the same part. */
function general(path: readonly string[]): string {
  return path.join(".").replaceAll(/\.\d+/g, "[]");
}

/** The name of a model or a kind, which is not secret. */
function kindOf(value: unknown): string | undefined {
  if (!isPlainObject(value)) return undefined;
  const kind = value["model"] ?? value["type"];
  return typeof kind === "string" ? kind : undefined;
}

const isIndex = (segment: string | undefined): boolean => segment !== undefined && /^\d+$/.test(segment);
const refusedName = (path: string): string => JSON.stringify([path]);
const refusedValue = (path: string, value: unknown): string => JSON.stringify([path, value]);
const join = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);
