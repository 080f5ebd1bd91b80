/** HOOK-6: chooses among the offered formats. Pure. */
import type { OfferedMedia } from "./platform-messages.ts";

export interface ChosenMedia {
  /** The platform's offer, unchanged, because it is sent back as our answer. */
  readonly offer: OfferedMedia;
  readonly channels: 1 | 2;
  /** The caller's index among the interleaved channels. */
  readonly callerChannel: number;
}

const callerName = "external";
export const hookRateHz = 8000;

/** The platform's first supported choice; a format with only the caller is preferred to one with both sides. */
export function chooseMedia(offers: readonly OfferedMedia[]): ChosenMedia | undefined {
  const possible = offers.flatMap((offer): ChosenMedia[] => {
    const { type, format, rate, channels } = offer;
    const callerChannel = channels.indexOf(callerName);
    if (type !== "audio" || format !== "PCMU" || rate !== hookRateHz || callerChannel === -1) return [];
    if (channels.length === 1 || channels.length === 2) return [{ offer, channels: channels.length, callerChannel }];
    return [];
  });
  return possible.find(({ channels }) => channels === 1) ?? possible[0];
}
