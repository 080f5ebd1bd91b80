import { describe, expect, it } from "vitest";
import type { Caller } from "./caller.ts";
import { anonymous, countedAs, mayAccess, ownerOf, requireAccess, requireOperator, serviceCaller } from "./caller.ts";

const user = (subject: string): Caller => ({ subject, isOperator: false, mayPlaceCalls: false, mayMakeAgents: false });
const operator: Caller = { ...user("olga"), isOperator: true };
const refusal = { code: "forbidden", fields: [expect.objectContaining({ field: "roles", code: "role_missing" })] };

describe("a caller", () => {
  it("has access to their own resources, and to none that belong to others or to the operators", () => {
    expect(mayAccess(user("alice"), "alice")).toBe(true);
    expect(mayAccess(user("alice"), "bob")).toBe(false);
    expect(mayAccess(user("alice"), undefined)).toBe(false);
    expect(() => requireAccess(user("alice"), "bob", "session")).toThrow(expect.objectContaining(refusal));
  });

  it("has access to everything as an operator, and only then to what is the operators'", () => {
    expect(mayAccess(operator, "alice")).toBe(true);
    expect(mayAccess(operator, undefined)).toBe(true);
    expect(() => requireOperator(operator)).not.toThrow();
    expect(() => requireOperator(user("alice"))).toThrow(expect.objectContaining(refusal));
  });

  it("may do everything while authentication is off, and leaves what it makes to the operators", () => {
    expect(anonymous).toMatchObject({ isOperator: true, mayPlaceCalls: true, mayMakeAgents: true });
    expect(ownerOf(anonymous)).toBeUndefined();
    expect(ownerOf(user("alice"))).toBe("alice");
  });

  it("sees what it carries as a service, and places no calls", () => {
    expect(serviceCaller("bridge")).toMatchObject({ isOperator: true, mayPlaceCalls: false, mayMakeAgents: false });
  });

  it("is counted by name, by address while authentication is off, and not at all as a service", () => {
    expect(countedAs(user("alice"), "10.0.0.1")).toBe("alice");
    expect(countedAs(anonymous, "10.0.0.1")).toBe("address 10.0.0.1");
    expect(countedAs(serviceCaller("bridge"), "10.0.0.1")).toBeUndefined();
  });
});
