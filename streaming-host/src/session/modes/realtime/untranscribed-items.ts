/** HIST-8: answered words whose transcript will never come, as items of the history. */
import { untranscribedSpeech } from "@voice/shared/conversation/untranscribed-speech";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { callerItem } from "../../conversation/caller-item.ts";
import type { Utterance } from "./caller-speech.ts";

export function untranscribedItems(
  utterances: readonly Utterance[],
  stored: Pick<HistoryItem, "agent" | "timestampMs">,
): readonly HistoryItem[] {
  return utterances.map(({ turn, partial }) =>
    partial === ""
      ? callerItem({ text: untranscribedSpeech, ...stored, ...turn })
      : { ...callerItem({ text: partial, ...stored, ...turn }), interrupted: true },
  );
}
