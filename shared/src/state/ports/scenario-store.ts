/** Scenarios made by the scenario builder, each visible to one session. Built-in ones come from the catalog. */
import type { SessionDocuments } from "./session-documents.ts";

export type ScenarioStore = SessionDocuments;
