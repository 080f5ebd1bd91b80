/** Whose phone rings at which number. The special numbers behave as people and networks sometimes do. */
import type { Directory } from "../emulators/comm/emulator.ts";
import type { Handset, RingOutcome } from "./handset.ts";

/** All from the range that is reserved for fiction. */
export const phoneNumbers = {
  service: "+12025550100",
  person: "+12025550123",
  busy: "+12025550180",
  noAnswer: "+12025550181",
  declined: "+12025550182",
  unknown: "+12025550183",
  invalid: "+12025550184",
  machine: "+12025550185",
  colleague: "+12025550186",
  browser: "+12025550187",
} as const;

/** The numbers that can be called, described in words. */
export const specialPhones = [
  { number: phoneNumbers.browser, about: "this browser" },
  { number: phoneNumbers.person, about: "a listener, or npm run phone" },
  { number: phoneNumbers.machine, about: "an answering machine" },
  { number: phoneNumbers.colleague, about: "Robin, a person" },
  { number: phoneNumbers.busy, about: "busy" },
  { number: phoneNumbers.noAnswer, about: "nobody answers" },
  { number: phoneNumbers.declined, about: "declines" },
  { number: phoneNumbers.unknown, about: "no such phone" },
  { number: phoneNumbers.invalid, about: "not a number" },
] as const;

export interface PhoneBook {
  readonly find: Directory;
  /** This phone takes the next call to an ordinary number. */
  expect(phone: Handset): void;
  /** Does not wait for a call any more. */
  forget(phone: Handset): void;
}

export function createPhoneBook(
  /** Takes a call that nobody expects. */
  anybody: () => Handset,
  machine: () => Handset,
  colleague: () => Handset,
  /** The page that was opened last, if there is one. */
  browser: () => Handset | undefined,
): PhoneBook {
  const expecting: Handset[] = [];
  const never = new Promise<RingOutcome>(() => undefined);
  const special: ReadonlyMap<string, () => Promise<RingOutcome>> = new Map([
    [phoneNumbers.busy, async () => "busy"],
    [phoneNumbers.noAnswer, () => never],
    [phoneNumbers.declined, async () => "declined"],
    [phoneNumbers.unknown, async () => "unknown"],
    [phoneNumbers.browser, async () => "unknown"],
  ]);

  return {
    find(number) {
      if (number === phoneNumbers.invalid) return "invalid";
      if (number === phoneNumbers.machine) return machine();
      if (number === phoneNumbers.colleague) return colleague();
      const page = number === phoneNumbers.browser ? browser() : undefined;
      if (page !== undefined) return page;
      const ring = special.get(number);
      return ring === undefined ? (expecting.shift() ?? anybody()) : { ring, talk: refuseToTalk };
    },
    expect: (phone) => {
      expecting.push(phone);
    },
    forget(phone) {
      const index = expecting.indexOf(phone);
      if (index !== -1) expecting.splice(index, 1);
    },
  };
}

function refuseToTalk(): never {
  throw new Error("nobody talks on a phone that was not picked up");
}
