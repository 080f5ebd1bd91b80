import { describe, expect, it } from "vitest";
import { isPublicAddress, lookUpPublic, refusePrivateAddress } from "./public-addresses.ts";

describe("an address that an HTTP tool may call", () => {
  it.each(["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"])("can be %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "::1",
    "::",
    "fe80::1",
    "fd00::1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "168.63.129.16",
    "::ffff:168.63.129.16",
    "198.18.0.1",
    "::7f00:1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::7f00:1",
    "fec0::1",
    "not an address",
  ])("cannot be %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it("is looked at where the host is written as one", () => {
    expect(() => refusePrivateAddress("169.254.169.254")).toThrow("not public");
    expect(() => refusePrivateAddress("[::1]")).toThrow("not public");
    expect(() => refusePrivateAddress("orders.example")).not.toThrow();
  });

  it("is looked at when a name is looked up", async () => {
    const looked = new Promise((resolve) => {
      lookUpPublic("localhost", { all: true }, (error) => resolve(error));
    });
    expect(await looked).toMatchObject({ code: "forbidden" });
  });
});
