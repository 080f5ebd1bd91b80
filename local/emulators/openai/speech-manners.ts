/**
 * How servers of speech that speak OpenAI's protocol answer: in which format, whatever was asked for, what they refuse, and what they
 * write around the words. One row each, with the public report that it is known from; `npm run emulators -- --speech NAME` and the
 * contract suites of the ports serve every row. A new manner is a row here, and no branch anywhere.
 */
import { hearingManners } from "./hearing-manners.ts";
import type { HearingManner } from "./hearing-manners.ts";
import { speakingManners } from "./speaking-manners.ts";
import type { SpeakingManner } from "./speaking-manners.ts";
import type { SpeechRow } from "./speech-row.ts";

export const speechServerNames: readonly string[] = [
  ...new Set([...speakingManners, ...hearingManners].map(({ server }) => server)),
];

/** What a server of that name does; of what it does not do, OpenAI's manner stands in. */
export function speechMannersOf(name: string | undefined): {
  readonly speaking: SpeakingManner | undefined;
  readonly hearing: HearingManner | undefined;
} {
  const ofName = ({ server }: SpeechRow): boolean => server === name;
  return { speaking: speakingManners.find(ofName), hearing: hearingManners.find(ofName) };
}
