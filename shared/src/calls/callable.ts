/** PLACE: whether the settings allow a number to be called. Loads the numbering plans, so import it only where a number is judged. */
import type { AllowedDestinations } from "../config/allowed-destinations.ts";
import type { Settings } from "../config/settings.ts";
import type { FieldProblem } from "../platform/errors.ts";
import { destinationsNow } from "./destinations-now.ts";
import { factsOf, type SpecialNumber } from "./numbering-plan.ts";

export interface NotCallable {
  /** An explanation that does not contain the number. */
  readonly detail: string;
  readonly problem: Omit<FieldProblem, "field">;
}

const specialDetails: Readonly<Record<SpecialNumber, string>> = {
  "no country has it": "This number cannot be called: no country has the code with which it begins.",
  "emergency or short": "This number may not be called: emergency numbers and other short numbers never are.",
  "premium rate": "This number may not be called: numbers that are charged at premium or shared rates never are.",
  "special service": "This number may not be called: numbers of special services never are.",
};

/** `number`: E.164. Undefined: it may be called. */
export function whyNotCallable(number: string, settings: Settings): NotCallable | undefined {
  const { country, special } = factsOf(number);
  if (special !== undefined)
    return { detail: specialDetails[special], problem: { message: "Call an ordinary number", code: "number_special" } };
  const allowed = destinationsNow(settings);
  if (allowed === undefined)
    return {
      detail: "No number may be called yet: CALL_ALLOWED_DESTINATIONS is not set.",
      problem: {
        message: "CALL_ALLOWED_DESTINATIONS has to name the countries or prefixes that may be called",
        code: "destination_not_allowed",
      },
    };
  if (isAllowed(number, country, allowed)) return undefined;
  const where = country === undefined ? "no single country" : country;
  return {
    detail: `This number may not be called: it belongs to ${where}, and CALL_ALLOWED_DESTINATIONS names neither that nor a prefix of it.`,
    problem: { message: "CALL_ALLOWED_DESTINATIONS does not name it", code: "destination_not_allowed" },
  };
}

function isAllowed(number: string, country: string | undefined, allowed: AllowedDestinations): boolean {
  const { isAny, countries, prefixes } = allowed;
  if (isAny || prefixes.some((prefix) => number.startsWith(prefix))) return true;
  return country !== undefined && countries.has(country);
}
