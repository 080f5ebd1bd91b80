/** The vendor's identifiers, from what people write. */
import { createIdentifierFromRawId } from "@azure/communication-common";
import type { CommunicationIdentifier, PhoneNumberIdentifier } from "@azure/communication-common";
import { BadRequestError } from "@voice/shared/platform/errors";

export function toPhoneNumber(number: string): PhoneNumberIdentifier {
  return { phoneNumber: number };
}

/** A phone number, a SIP address (routed by the session border controller), or a raw id such as `8:acs:…`. */
export function toIdentifier(target: string): CommunicationIdentifier {
  if (/^\+[1-9]\d{1,14}$/.test(target)) return toPhoneNumber(target);
  if (/^sips?:[^\s@]+@[^\s@]+$/.test(target)) return { id: target };
  if (/^(4|8|28):\S+$/.test(target)) return createIdentifierFromRawId(target);
  throw new BadRequestError("pstn_number_invalid", "not a phone number, a SIP address or an id of the service");
}
