/** `name=target` pairs: the destinations to which calls may be transferred. */
import { z } from "zod";
import type { Kind } from "./kinds.ts";

const target = /^(\+[1-9]\d{1,14}|sips?:[^\s@,]+@[^\s@,]+|(4|8|28):[^\s,]+)$/;

const destinationName = /^[a-z][a-z0-9-]*$/;

/** The destination for calls in which an agent asks for a person. */
export const personDestination = "person";

/** Undefined for an unknown name; a target that is not a name must itself be an address. */
export function addressOf(wanted: string, destinations: ReadonlyMap<string, string>): string | undefined {
  return destinations.get(wanted) ?? (destinationName.test(wanted) ? undefined : wanted);
}

/** Whether the settings themselves name the address, so that calls may go there whatever number it is (PLACE-4). */
export function isDestination(address: string, destinations: ReadonlyMap<string, string>): boolean {
  return [...destinations.values()].includes(address);
}

/** An address, or the name of one in the list. */
export const destinationTarget: Kind<string> = {
  says: "a phone number (E.164), a SIP address, a raw id, or a name from COMM_DESTINATIONS",
  schema: z.string().refine((value) => target.test(value) || destinationName.test(value), "must be a place to call"),
};

export const destinationList: Kind<ReadonlyMap<string, string>> = {
  says: "`name=target` pairs separated by commas; a target is a phone number (E.164), a SIP address or a raw id",
  schema: z.string().transform((value, context) => {
    const destinations = new Map<string, string>();
    for (const pair of value.split(",").map((part) => part.trim())) {
      if (pair === "") continue;
      const [name = "", ...rest] = pair.split("=");
      const destination = rest.join("=");
      if (!destinationName.test(name) || !target.test(destination))
        context.addIssue({ code: "custom", message: "must be name=target pairs such as person=+12025550123" });
      else destinations.set(name, destination);
    }
    return destinations;
  }),
};
