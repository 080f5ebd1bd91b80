/** Words that bridge a wait: for the model (FILL-1), and for a tool. */
import type { RealtimeRepliesOptions, RealtimeReply } from "./realtime-reply.ts";

/** Too late once the model has its first words (FILL-2), or `isOver` says that the reply is not the running one any more. */
export async function sayFiller(
  open: RealtimeReply,
  isOver: () => boolean,
  { fillers, notify, onProgress, playout, sampleRateHz }: RealtimeRepliesOptions,
): Promise<void> {
  if (open.isWritten) return;
  const filler = await fillers.make(open.abort.signal);
  if (filler === undefined || open.isWritten || isOver()) return;
  const { text, samples } = filler;
  open.words.addFiller(text, (samples.length * 1000) / sampleRateHz);
  open.track.write(samples);
  const { turnId } = open.plan;
  notify({ type: "response", payload: { text, agent: open.words.agent, turn_id: turnId, is_final: false } });
  playout.pump();
  onProgress();
}

/** FAIL-3: a tool has a deadline of its own. False if no tool runs, or the service has not made what it was asked to say meanwhile. */
export function bridgeTools(open: RealtimeReply, options: RealtimeRepliesOptions): boolean {
  if (open.runningTools.length === 0 || open.awaitsNotice) return false;
  const filler = options.fillers.next();
  // The tool's own notice may have the same words.
  const isRepeated = open.words.heard().at(-1)?.text.endsWith(filler) === true;
  sayNotice(open, isRepeated ? options.fillers.next() : filler, options);
  return true;
}

export function sayNotice(open: RealtimeReply, notice: string, { link }: Pick<RealtimeRepliesOptions, "link">): void {
  open.notice = Promise.withResolvers();
  open.awaitsNotice = true;
  link((session) => session.respond({ say: notice }));
}
