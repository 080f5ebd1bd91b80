/** Converts what people write into the vendor's identifiers and tones. */
import type { CallInvite, Tone } from "@azure/communication-call-automation";
import { createIdentifierFromRawId, isPhoneNumberIdentifier, isUnknownIdentifier } from "@azure/communication-common";
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

/**
 * The person to call, and the number that their phone shows if they have one. The service cannot invite a SIP address.
 */
export function toInvitation(target: string, callerNumber: string | undefined): CallInvite {
  const targetParticipant = toIdentifier(target);
  if (isUnknownIdentifier(targetParticipant))
    throw new BadRequestError("pstn_number_invalid", "the service calls no SIP address this way");
  return { targetParticipant, ...callerIdOf(targetParticipant, callerNumber) };
}

/** Telephones show a number; anybody else who is called sees the service. */
export function callerIdOf(target: CommunicationIdentifier, callerNumber: string | undefined) {
  if (!isPhoneNumberIdentifier(target) || callerNumber === undefined) return {};
  return { sourceCallIdNumber: toPhoneNumber(callerNumber) };
}

const toneByKey: ReadonlyMap<string, Tone> = new Map<string, Tone>([
  ["0", "zero"],
  ["1", "one"],
  ["2", "two"],
  ["3", "three"],
  ["4", "four"],
  ["5", "five"],
  ["6", "six"],
  ["7", "seven"],
  ["8", "eight"],
  ["9", "nine"],
  ["*", "asterisk"],
  ["#", "pound"],
  ["A", "a"],
  ["B", "b"],
  ["C", "c"],
  ["D", "d"],
]);

export function toTones(digits: string): Tone[] {
  return Array.from(digits.toUpperCase(), (key) => {
    const tone = toneByKey.get(key);
    if (tone === undefined) throw new BadRequestError("validation_error", "a telephone has no such key");
    return tone;
  });
}
