/**
 * How Twilio signs what it sends: HMAC-SHA1 under the auth token over the address that it was given and, for a form, its fields in
 * alphabetical order (`getExpectedTwilioSignature` of the package `twilio` 6.3.1, lib/webhooks/webhooks.js). The tests compare with what that
 * package computes. The package itself is not installed (decision 064).
 */
import { createHmac, timingSafeEqual } from "node:crypto";

export const twilioSignatureHeader = "x-twilio-signature";

/** Fields in the order in which they came; a name may occur twice. */
export type FormFields = Iterable<readonly [name: string, value: string]>;

export interface SignedByTwilio {
  /** As Twilio was given it, with its query. */
  readonly url: string;
  /** None for a socket. */
  readonly fields?: FormFields | undefined;
  readonly signature: string | undefined;
}

export function twilioSignature(authToken: string, url: string, fields: FormFields = []): string {
  const values = new Map<string, Set<string>>();
  for (const [name, value] of fields) values.set(name, (values.get(name) ?? new Set<string>()).add(value));
  let signed = url;
  for (const name of [...values.keys()].toSorted(byCodeUnits))
    for (const value of [...(values.get(name) ?? [])].toSorted(byCodeUnits)) signed += name + value;
  return createHmac("sha1", authToken).update(signed, "utf8").digest("base64");
}

/** Under any of the account's tokens: while the secondary one becomes the primary one, both are in use. */
export function isSignedByTwilio(
  { url, fields = [], signature }: SignedByTwilio,
  authTokens: readonly string[],
): boolean {
  if (signature === undefined) return false;
  const given = Buffer.from(signature);
  const pairs = [...fields];
  // Every one is compared, so that the time does not reveal which of them fits.
  return addressesOf(url)
    .flatMap((address) => authTokens.map((token) => Buffer.from(twilioSignature(token, address, pairs))))
    .map((expected) => expected.length === given.length && timingSafeEqual(expected, given))
    .some(Boolean);
}

/**
 * Twilio signs some addresses with the standard port and some without (`validateRequest` of the same file), and the address of a socket
 * also with a slash behind it.
 */
function addressesOf(url: string): string[] {
  const parts = /^([a-z]+):\/\/([^/?#]*)(.*)$/i.exec(url);
  if (parts === null) return [url];
  const [, scheme = "", authority = "", rest = ""] = parts;
  const isSecure = /^(?:https|wss)$/i.test(scheme);
  const host = authority.replace(/:\d+$/, "");
  const port = isSecure ? ":443" : ":80";
  const authorities = host === authority || authority === host + port ? [host, host + port] : [authority];
  const ends = /^wss?$/i.test(scheme) ? [rest, `${rest}/`] : [rest];
  return authorities.flatMap((one) => ends.map((end) => `${scheme}://${one}${end}`));
}

/** As JavaScript's own `sort`, which the package uses. */
function byCodeUnits(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
