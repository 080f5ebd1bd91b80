/**
 * Who is at one end of a call: a phone number in E.164 form, if there is one, and the identifier by which the network or the service knows
 * them. Networks and services put many other things where a number is expected (`anonymous`, an extension, a SIP address, a Teams user).
 * These must not be taken for a number, because many callers share them.
 */
export interface Party {
  /** E.164. Absent if the number is hidden or there is none. Personal data. */
  readonly number?: string | undefined;
  /** In the service's notation: `4:+12025550123`, `4:anonymous`, `8:acs:…`, `28:orgid:…`. Personal data. */
  readonly rawId?: string | undefined;
}

/** The service's raw id of a telephone: this prefix and what the network shows as the number. */
const phonePrefix = "4:";

/** Reads text from a telephony platform or a setting: a number in any usual spelling, or a raw id. */
export function partyOfText(text: string): Party {
  const written = text.trim();
  if (written === "") return {};
  const number = readNumber(phoneIn(written));
  if (/^\d{1,2}:\S/.test(written)) return { number, rawId: written };
  if (number !== undefined) return { number, rawId: phonePrefix + number };
  return { rawId: /^sips?:/i.test(written) ? written : phonePrefix + written };
}

/** How the party is identified in requests to the communication service. */
export function addressOfParty({ number, rawId }: Party): string | undefined {
  return number ?? rawId;
}

export function isSameParty(one: Party, other: Party): boolean {
  if (one.number !== undefined && other.number !== undefined) return one.number === other.number;
  return one.rawId !== undefined && sameRawId(one.rawId) === sameRawId(other.rawId ?? "");
}

/** The ids of users and applications are GUIDs, in which the case of letters has no meaning. */
export function sameRawId(rawId: string): string {
  return rawId.toLowerCase();
}

/** The number in a raw id of the service (there is none for a Teams user or a bot), or the text itself. */
function phoneIn(text: string): string {
  if (text.startsWith(phonePrefix)) return text.slice(phonePrefix.length);
  return /^\d+:/.test(text) ? "" : text;
}

/** No network writes a longer address; longer text is not read, because reading it would block the host. */
const longestAddress = 512;

/**
 * E.164, or undefined. Reads `tel:` and `sip:` addresses (RFC 3966, RFC 3261 section 19.1.6), a display name before an address,
 * separators, an extension behind the number, the prefix 00, and numbers whose plus is missing.
 */
export function readNumber(text: string): string | undefined {
  if (text.length > longestAddress) return undefined;
  const address = /<([^>]*)>/.exec(text)?.[1] ?? text;
  const scheme = /^\s*(tel|sips?):/i.exec(address);
  const [user = ""] = address.slice(scheme?.[0].length ?? 0).split("@");
  const [subscriber = "", ...parameters] = user.replace(/^\s*%2b/i, "+").split(";");
  const context = parameters
    .map((parameter) => /^phone-context=(\+[\d.-]+)$/i.exec(parameter.trim())?.[1])
    .find(Boolean);
  // An extension after a number is dialled once the call has been answered; the number itself is that of the line.
  const withoutExtension = subscriber.replace(/\s*(?:x|ext\.?|#|,).*$/i, "");
  const digits = withoutExtension.replaceAll("(0)", "").replaceAll(/[\s().\-/\u00a0\u2010-\u2013]/g, "");
  const number = completed(
    context !== undefined && /^\d/.test(digits) ? context.replaceAll(/[.-]/g, "") + digits : digits,
  );
  return number === undefined || hiddenWords.has(number) ? undefined : number;
}

const e164 = /^\+[1-9]\d{6,14}$/;

function completed(digits: string): string | undefined {
  if (e164.test(digits)) return digits;
  if (/^00[1-9]\d{6,14}$/.test(digits)) return `+${digits.slice(2)}`;
  // Without a plus it may be an extension or a number inside its country. Eleven or more digits that do not begin with 0 are
  // country code and number; North American ones have no area code and no exchange below 200 (NANPA).
  return /^(?:1[2-9]\d{2}[2-9]\d{6}|[2-9]\d{10,14})$/.test(digits) ? `+${digits}` : undefined;
}

const keys = ["abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz"];

function onKeys(word: string): string {
  return `+${Array.from(word, (letter) => 2 + keys.findIndex((letters) => letters.includes(letter))).join("")}`;
}

/**
 * Networks that cannot send letters spell the word on a telephone's keys: +266696687 is ANONYMOUS. Such a number is shared by everybody who
 * hides theirs (https://help.twilio.com/articles/223179988 lists five of them).
 */
const hiddenWords: ReadonlySet<string> = new Set(
  ["anonymous", "restricted", "blocked", "unknown", "unavailable", "private", "withheld"].map(onKeys),
);
