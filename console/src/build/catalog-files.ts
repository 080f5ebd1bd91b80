/** Writes agents, scenarios and the table of routes as the files of a catalog's folder, which `npm run catalog:check` reads. Pure. */
import { stringify } from "yaml";

import type { Document } from "../api/build-api.ts";
import { isDocument, textOf } from "./document-path.ts";

/** Text by path. */
export type CatalogFiles = Readonly<Record<string, string>>;

export function agentFiles({ name, prompt, rules, voice, model, ...config }: Document): CatalogFiles {
  const folder = `agents/${textOf(name)}`;
  const written = {
    ...config,
    ...(isDocument(model) ? { model: ofBothModels(model) } : {}),
    ...(isDocument(voice) ? { voice: asWritten(voice) } : {}),
  };
  return {
    [`${folder}/agent.yaml`]: yaml(written),
    [`${folder}/prompt.md`]: `${textOf(prompt).trim()}\n`,
    ...(isDocument(rules) ? { [`${folder}/rules.yaml`]: yaml(rules) } : {}),
  };
}

export function scenarioFiles({ name, handoff_type: handoffType, handoffs, ...scenario }: Document): CatalogFiles {
  const edges = Array.isArray(handoffs) ? handoffs.filter(isDocument).map(writtenHandoff) : [];
  const written = { ...scenario, handoff_type: handoffType, handoffs: edges };
  return { [`scenarios/${textOf(name)}.yaml`]: yaml(withoutNulls(written)) };
}

export function routeFiles(rows: readonly Document[]): CatalogFiles {
  return { "routes.yaml": yaml({ routes: rows }) };
}

/** A file has a section for each of the two; a request may have one section for both. */
function ofBothModels({ cascade, realtime, ...both }: Document): Document {
  const of = (own: unknown): Document | undefined => {
    const values = { ...both, ...(isDocument(own) ? own : {}) };
    return Object.keys(values).length === 0 ? undefined : values;
  };
  return { cascade: of(cascade), realtime: of(realtime) };
}

function asWritten({ voice_name: name, voice_style: style, voice_rate: rate, voice_pitch: pitch, ...own }: Document) {
  return { name, style, rate, pitch, ...own };
}

/** Context is shared unless the document says otherwise. */
function writtenHandoff({ share_context: isShared, ...handoff }: Document): Document {
  return { ...handoff, share_context: isShared === false ? false : undefined };
}

/** In an agent's file null has a meaning: it removes a default. */
function yaml(value: Document): string {
  return stringify(withoutNothing(value), { lineWidth: 100 });
}

function withoutNothing(value: unknown): unknown {
  if (!isDocument(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]) =>
      entry === undefined || isEmpty(entry) ? [] : [[key, withoutNothing(entry)]],
    ),
  );
}

/** Answers contain null for a value that is not set. */
function withoutNulls({ handoffs, ...scenario }: Document): Document {
  const stated = (document: Document): Document =>
    Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null && value !== undefined));
  return { ...stated(scenario), handoffs: Array.isArray(handoffs) ? handoffs.filter(isDocument).map(stated) : [] };
}

function isEmpty(value: unknown): boolean {
  return isDocument(value) && Object.keys(value).length === 0;
}
