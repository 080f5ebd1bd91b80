/** The encoder by which the rule model compares sentences by their meaning; a package without local speech goes without. */
import { AgentMeanings } from "@voice/local-voice/meaning/agent-meanings";
import { createSentenceEncoder } from "@voice/local-voice/meaning/sentence-encoder";
import type { Host } from "../host/host.ts";

/** Undefined where a setting turns it off, or this machine cannot run it. */
export async function composeMeanings({
  settings,
  clock,
  logger,
}: Pick<Host, "settings" | "clock" | "logger">): Promise<AgentMeanings | undefined> {
  const encoder = settings.localSentenceMeaning ? await createSentenceEncoder({ clock, logger }) : undefined;
  return encoder && new AgentMeanings(encoder);
}
