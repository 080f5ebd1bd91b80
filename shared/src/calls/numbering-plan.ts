/**
 * What the world's numbering plans say about a phone number: its country, and whether a program must never call it. The plans are those of
 * Google's libphonenumber, whose data are published every two weeks. Half a megabyte, so import it only where a number is judged.
 */
import libphonenumber, { type PhoneNumber } from "google-libphonenumber";

const { PhoneNumberType: Type, PhoneNumberUtil, ShortNumberInfo } = libphonenumber;
const plans = PhoneNumberUtil.getInstance();
const shortNumbers = ShortNumberInfo.getInstance();

/** Keyed by country code, because +1 and others belong to several countries. */
const regionsByCode = Map.groupBy(plans.getSupportedRegions(), (region) => plans.getCountryCodeForRegion(region));

export interface NumberFacts {
  /** ISO 3166; absent for numbers of no single country (satellites, international services) and for unknown ranges. */
  readonly country: string | undefined;
  /** Why a program may never call it; absent for an ordinary number. */
  readonly special: SpecialNumber | undefined;
}

export type SpecialNumber = "no country has it" | "emergency or short" | "premium rate" | "special service";

/** No country's numbers, country code included, have fewer digits. */
const fewestDigits = 7;
/** A number with no more digits than this behind the country code is a short one, unless the plan has numbers of that length. */
const longestShortNumber = 6;

const specialTypes: ReadonlyMap<number, SpecialNumber> = new Map([
  [Type.PREMIUM_RATE, "premium rate"],
  [Type.SHARED_COST, "premium rate"],
  // Often charged like premium rate, and used for fraud (Ofcom on 070).
  [Type.PERSONAL_NUMBER, "premium rate"],
  [Type.UAN, "special service"],
  [Type.VOICEMAIL, "special service"],
  [Type.PAGER, "special service"],
]);

/** `number`: E.164. */
export function factsOf(number: string): NumberFacts {
  if (number.length - 1 < fewestDigits) return { country: undefined, special: "emergency or short" };
  const parsed = parse(number);
  if (parsed === undefined) return { country: undefined, special: "no country has it" };
  return { country: countryOf(parsed), special: specialOf(parsed) };
}

/** Undefined if no country has the code with which the number begins. */
function parse(number: string): PhoneNumber | undefined {
  try {
    return plans.parse(number);
  } catch {
    return undefined; // the library reports an invalid number only by throwing
  }
}

function countryOf(number: PhoneNumber): string | undefined {
  const regions = regionsOf(number);
  return plans.getRegionCodeForNumber(number) ?? (regions.length === 1 ? regions[0] : undefined);
}

function regionsOf(number: PhoneNumber) {
  return regionsByCode.get(number.getCountryCodeOrDefault()) ?? [];
}

function specialOf(number: PhoneNumber): SpecialNumber | undefined {
  const national = plans.getNationalSignificantNumber(number);
  const type = plans.getNumberType(number);
  const isShort = national.length <= longestShortNumber;
  const isInPlan = type !== Type.UNKNOWN;
  if (
    (isShort || !isInPlan) &&
    regionsOf(number).some((region) => shortNumbers.connectsToEmergencyNumber(national, region))
  )
    return "emergency or short";
  if (isInPlan) return specialTypes.get(type);
  if (shortNumbers.isValidShortNumber(number)) return "emergency or short";
  const isTooShort = plans.isPossibleNumberWithReason(number) === PhoneNumberUtil.ValidationResult.TOO_SHORT;
  if (isShort && isTooShort) return "emergency or short";
  return specialOfRange(number.getCountryCodeOrDefault(), national);
}

/**
 * A number that no plan lists, because its range is new or it is mistyped, is treated like the listed numbers with the same beginning, if
 * all of them are special: +1 900 123 4567 is not listed, and every number after +1 900 is charged at premium rates.
 */
function specialOfRange(countryCode: number, national: string): SpecialNumber | undefined {
  for (let known = Math.min(5, national.length - 1); known >= 3; known -= 1) {
    const kinds = new Set(samplesOf(national.slice(0, known)).flatMap((sample) => kindOf(`+${countryCode}${sample}`)));
    const [only] = kinds;
    if (kinds.size > 0) return kinds.size === 1 && only !== "ordinary" ? only : undefined;
  }
  return undefined;
}

const sampleLengths = [7, 8, 9, 10, 11];
const fillers = ["2", "5", "0"];

function samplesOf(prefix: string): string[] {
  return sampleLengths.flatMap((length) => fillers.map((digit) => prefix.padEnd(length, digit)));
}

/** Empty for a number that no plan lists. */
function kindOf(number: string): (SpecialNumber | "ordinary")[] {
  const parsed = parse(number);
  const type = parsed === undefined ? Type.UNKNOWN : plans.getNumberType(parsed);
  return type === Type.UNKNOWN ? [] : [specialTypes.get(type) ?? "ordinary"];
}
