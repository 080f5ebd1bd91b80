/**
 * Splits a long conversation into documents that the store accepts, and joins them again. The first has everything except
 * the later history and turns, which follow in the other ones. Pure.
 */
import { z } from "zod";
import { jsonBytes } from "../platform/json-bytes.ts";
import type { Steps } from "../platform/steps.ts";
import { archivedConversation } from "./conversation-archive.ts";
import type { ArchivedConversation } from "./conversation-archive.ts";

/** The store takes 2 MB; an hour of talk is about 0.5 MB. */
export const maxDocumentBytes = 1_800_000;

const { conversation_history, turns } = archivedConversation.shape;
export const archivePart = z.object({ conversation_history, turns });
export type ArchivePart = Pick<ArchivedConversation, "conversation_history" | "turns">;

export interface SplitConversation {
  readonly first: ArchivedConversation;
  readonly rest: readonly ArchivePart[];
}

export function* splitConversation(
  conversation: ArchivedConversation,
  maxBytes: number = maxDocumentBytes,
): Steps<SplitConversation> {
  const packed = createPacker(maxBytes, jsonBytes({ ...conversation, conversation_history: [], turns: [] }));
  for (const entry of conversation.conversation_history) {
    packed.partFor(entry).conversation_history.push(entry);
    yield;
  }
  for (const turn of conversation.turns) {
    packed.partFor(turn).turns.push(turn);
    yield;
  }
  const [first, ...rest] = packed.parts;
  return { first: { ...conversation, ...first }, rest };
}

export function joinConversation(first: ArchivedConversation, rest: readonly ArchivePart[]): ArchivedConversation {
  const all = [first, ...rest];
  return {
    ...first,
    conversation_history: all.flatMap((part) => part.conversation_history),
    turns: all.flatMap((part) => part.turns),
  };
}

/** Fills one document after the other. */
function createPacker(maxBytes: number, bytesOfFirst: number) {
  const parts: [ArchivePart, ...ArchivePart[]] = [emptyPart()];
  let current = parts[0];
  let bytes = bytesOfFirst;
  return {
    parts,
    partFor(entry: object): ArchivePart {
      const added = jsonBytes(entry) + 1;
      if (bytes + added > maxBytes) {
        parts.push((current = emptyPart()));
        bytes = 0;
      }
      bytes += added;
      return current;
    },
  };
}

function emptyPart(): ArchivePart {
  return { conversation_history: [], turns: [] };
}
