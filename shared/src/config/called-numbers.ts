/** `line=scenario` or `line=scenario/agent` pairs: the scenario for calls to each of the service's numbers. */
import { z } from "zod";
import { partyOfText, sameRawId, type Party } from "../calls/party.ts";
import type { Kind } from "./kinds.ts";

export interface CallStart {
  readonly scenario: string;
  /** The scenario's own start agent if absent. */
  readonly agent?: string | undefined;
}

/** By `lineOf` what was called. */
export type CallStarts = ReadonlyMap<string, CallStart>;

/** What calls to this line are about; undefined if the setting does not name it. */
export function startOfCall(called: Party, starts: CallStarts): CallStart | undefined {
  const { number, rawId } = called;
  const byNumber = number === undefined ? undefined : starts.get(number);
  return byNumber ?? (rawId === undefined ? undefined : starts.get(sameRawId(rawId)));
}

const startForm = /^([A-Za-z][\w-]*)(?:\/([A-Za-z][\w-]*))?$/;

/** Extensions of direct routing (`4:1234`), users of Teams and of the service, and resource accounts. */
const rawIdForm = /^(?:4:[\w.*#+-]+|8:(?:acs|orgid|gcch-acs|gcch|dod-acs|dod):[\w-]+|28:(?:orgid|gcch|dod):[\w-]+)$/i;

/** E.164, or a raw id in small letters; undefined for anything else. */
function lineOf(text: string): string | undefined {
  const { number } = partyOfText(text);
  if (number !== undefined) return number;
  return rawIdForm.test(text) ? sameRawId(text) : undefined;
}

export const calledNumberList: Kind<CallStarts> = {
  says: "`line=scenario` or `line=scenario/agent` pairs separated by commas; a line is a phone number with its country code or a raw id of the communication service (`8:orgid:…`, `28:orgid:…`, `4:1234`)",
  schema: z.string().transform((value, context) => {
    const starts = new Map<string, CallStart>();
    for (const pair of value.split(",").map((part) => part.trim())) {
      if (pair === "") continue;
      const equals = pair.lastIndexOf("=");
      const written = pair.slice(0, Math.max(0, equals)).trim();
      const line = lineOf(written);
      const [, scenario, agent] = startForm.exec(pair.slice(equals + 1).trim()) ?? [];
      const problem = problemOf({ pair, written, line, scenario, isKnown: line !== undefined && starts.has(line) });
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
      else if (line !== undefined && scenario !== undefined) starts.set(line, { scenario, agent });
    }
    return starts;
  }),
};

interface ReadPair {
  readonly pair: string;
  readonly written: string;
  readonly line: string | undefined;
  readonly scenario: string | undefined;
  readonly isKnown: boolean;
}

const example = "must be line=scenario pairs such as +12025550100=insurance";

function problemOf({ pair, written, line, scenario, isKnown }: ReadPair): string | undefined {
  if (written === "" || scenario === undefined) return `${example}, and \`${pair}\` is none`;
  if (line === undefined)
    return `${example}, and \`${written}\` is neither a phone number with its country code nor a raw id such as 8:orgid:… or, for an extension, 4:1234`;
  return isKnown ? `must name each line once, and names \`${written}\` again` : undefined;
}
