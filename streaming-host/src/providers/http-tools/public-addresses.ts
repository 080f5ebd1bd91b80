/**
 * Prevents requests to addresses that only this machine and its network can reach: a cloud's metadata service,
 * databases, other processes. The check applies to the address actually connected to, so that a name cannot evade it by
 * changing between two lookups.
 */
import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { NotDoneError } from "@voice/shared/tools/not-done-error";
import ipaddr from "ipaddr.js";

/**
 * Addresses that the library takes for public ones. 168.63.129.16 is served by Azure only to virtual machines and containers, and provides
 * a machine's certificates, among other things. 198.18.0.0/15 is reserved for network tests (RFC 2544), and some proxies use it internally.
 */
const internal = ["168.63.129.16/32", "198.18.0.0/15"].map((range) => ipaddr.IPv4.parseCIDR(range));
/** All public IPv6 addresses. Outside of this range there are old forms that may contain a private IPv4 address (RFC 4291). */
const globalIpv6 = ipaddr.IPv6.parseCIDR("2000::/3");

export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== "unicast") return false;
  if (address instanceof ipaddr.IPv4) return !internal.some((range) => address.match(range));
  return address.match(globalIpv6);
}

/** Throws if the host is written as an address and is not public; names are checked when they are looked up. */
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

function refusal(): NotDoneError {
  return new NotDoneError("forbidden", "the host has an address that is not public");
}
