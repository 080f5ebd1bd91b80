/**
 * Prevents requests to addresses that only this machine and its network can reach: a cloud's metadata service,
 * databases, other processes. The check applies to the address actually connected to, so that a name cannot evade it by
 * changing between two lookups.
 */
import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { VoiceError } from "@voice/shared/platform/errors";
import ipaddr from "ipaddr.js";

export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast";
}

/** Throws for a host that is written as an address and is not public; names are checked when they are looked up. */
export function refusePrivateAddress(hostname: string): void {
  const address = hostname.replaceAll(/^\[|\]$/g, "");
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw refusal();
}

/** For a socket's `lookup`: fails if any of the name's addresses is not public. */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error !== null || first === undefined) callback(error ?? refusal(), "", 0);
    else if (addresses.some(({ address }) => !isPublicAddress(address))) callback(refusal(), "", 0);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

function refusal(): VoiceError {
  return new VoiceError("forbidden", "the host has an address that is not public");
}
