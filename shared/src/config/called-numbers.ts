/** `line=scenario` or `line=scenario/agent` pairs: the scenario for calls to each of the service's numbers. */
import { z } from "zod";
import { partyOfText, sameRawId, type Party } from "../calls/party.ts";
import type { Kind } from "./kinds.ts";

export interface CallStart {
  readonly scenario: string;
  /** The scenario's own start agent if absent. */
  readonly agent?: string | undefined;
}

/** Keyed by the called line, as `lineOf` writes it. */
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

/** E.164, or a raw id in small letters; undefined for anything else. Stricter than what networks write: this is typed by hand. */
export function lineOf(text: string): string | undefined {
  const number = /^(?:4:)?[+\d][\d ().-]*$/.test(text) ? partyOfText(text).number : undefined;
  return number ?? (rawIdForm.test(text) ? sameRawId(text) : undefined);
}

const example = "must be line=scenario pairs such as +12025550100=insurance";

export const calledNumberList: Kind<CallStarts> = {
  says: "`line=scenario` or `line=scenario/agent` pairs separated by commas; a line is a phone number with its country code or a raw id of the communication service (`8:orgid:…`, `28:orgid:…`, `4:1234`)",
  schema: z.string().transform((value, context) => {
    const starts = new Map<string, CallStart>();
    for (const [index, pair] of value.split(",").map((part, at) => [at + 1, part.trim()] as const)) {
      if (pair === "") continue;
      const equals = Math.max(0, pair.lastIndexOf("="));
      const line = lineOf(pair.slice(0, equals).trim());
      const [, scenario, agent] = startForm.exec(pair.slice(equals + 1).trim()) ?? [];
      // Values of settings are never shown, so the pair is identified by its position.
      const wrong = (what: string): void =>
        context.addIssue({ code: "custom", message: `${example}: pair ${index} ${what}` });
      if (equals === 0 || scenario === undefined) wrong("is none");
      else if (line === undefined)
        wrong(
          "names neither a phone number with its country code nor a raw id such as 28:orgid:… or, for an extension, 4:1234",
        );
      else if (starts.has(line)) wrong("names a line that an earlier one has");
      else starts.set(line, { scenario, agent });
    }
    return starts;
  }),
};
