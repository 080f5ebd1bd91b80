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
} as const;

export interface PhoneBook {
  readonly find: Directory;
  /** Whoever has this phone takes the next call to an ordinary number. */
  expect(phone: Handset): void;
  /** Does not wait for a call any more. */
  forget(phone: Handset): void;
}

export interface PhoneBookOptions {
  /** Takes a call that nobody expects. */
  readonly anybody: () => Handset;
  readonly machine: () => Handset;
  readonly colleague: () => Handset;
}

export function createPhoneBook({ anybody, machine, colleague }: PhoneBookOptions): PhoneBook {
  const expecting: Handset[] = [];
  const never = new Promise<RingOutcome>(() => undefined);
  const special: ReadonlyMap<string, () => Promise<RingOutcome>> = new Map([
    [phoneNumbers.busy, async () => "busy"],
    [phoneNumbers.noAnswer, () => never],
    [phoneNumbers.declined, async () => "declined"],
    [phoneNumbers.unknown, async () => "unknown"],
  ]);

  return {
    find(number) {
      if (number === phoneNumbers.invalid) return "invalid";
      if (number === phoneNumbers.machine) return machine();
      if (number === phoneNumbers.colleague) return colleague();
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
