import { assert, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { demoProfileSchema, type DemoProfile } from "../tools/customers/profile.ts";
import { generateProfile } from "./generate.ts";

const nowMs = Date.UTC(2026, 2, 21, 12);
const generate = (seed: number, more: object = {}): DemoProfile =>
  generateProfile({ profileId: "profile-1", nowMs, seed, ...more });

/** Everything in a profile that must fit something else in it. */
function contradictions(profile: DemoProfile): readonly string[] {
  const accounts = new Set(profile.accounts.map((account) => account.account_id));
  const cards = new Set(profile.cards.map((card) => card.card_last4));
  const policies = new Map(profile.policies.map((policy) => [policy.policy_number, policy]));
  const checks: readonly (readonly [string, boolean])[] = [
    ["valid", demoProfileSchema.safeParse(profile).success],
    ["phone digits", profile.verification_codes.phone4 === profile.phone_number.slice(-4)],
    ["contact", profile.contact_info.phone === profile.phone_number && profile.contact_info.email === profile.email],
    ["transactions on accounts", profile.transactions.every((transaction) => accounts.has(transaction.account_id))],
    [
      "transactions on cards",
      profile.transactions.every(({ card_last4 }) => card_last4 === undefined || cards.has(card_last4)),
    ],
    ["nothing in the future", profile.transactions.every(({ timestamp }) => Date.parse(timestamp) <= nowMs)],
    [
      "newest first",
      profile.transactions.every(
        ({ timestamp }, at) => timestamp <= (profile.transactions[at - 1]?.timestamp ?? timestamp),
      ),
    ],
    [
      "ids once",
      new Set(profile.transactions.map((transaction) => transaction.transaction_id)).size ===
        profile.transactions.length,
    ],
    ["something suspicious", profile.transactions.some(({ risk_score }) => risk_score > 0.7)],
    ["claims on policies", profile.claims.every((claim) => policies.has(claim.policy_number))],
    [
      "collisions on cars",
      profile.claims.every((claim) => claim.kind !== "collision" || policies.get(claim.policy_number)?.type === "auto"),
    ],
    ["claims once", new Set(profile.claims.map((claim) => claim.claim_number)).size === profile.claims.length],
    ["claims have happened", profile.claims.every((claim) => Date.parse(claim.incident_date) < nowMs)],
    ["available below balance", profile.accounts.every((account) => account.available <= account.balance)],
    ["credit within its limit", profile.cards.every((card) => (card.balance ?? 0) <= (card.credit_limit ?? Infinity))],
    [
      "reachable by nobody",
      profile.email.endsWith("@example.com") && /^\+1\d{3}55501\d{2}$/.test(profile.phone_number),
    ],
  ];
  return checks.filter(([, holds]) => !holds).map(([name]) => name);
}

describe("a generated profile", () => {
  it("does not contradict itself, whatever the seed", () => {
    const check = property(
      integer({ min: 0, max: 2 ** 31 - 1 }),
      (seed) => contradictions(generate(seed)).length === 0,
    );
    expect(() => assert(check, { numRuns: 60 })).not.toThrow();
    expect(contradictions(generate(7))).toEqual([]);
  });

  it("is the same again for the same seed, and another person for another", () => {
    expect(generate(7)).toEqual(generate(7));
    expect(generate(7).full_name).not.toBe(generate(8).full_name);
  });

  it("takes over what it was asked to be", () => {
    const asked = {
      fullName: "Zoë O'Neil",
      phoneNumber: "+4930123456",
      preferredChannel: "email",
      scenario: "insurance",
    };
    expect(generate(1, asked)).toMatchObject({
      full_name: "Zoë O'Neil",
      email: "zoe.oneil@example.com",
      phone_number: "+4930123456",
      institution_name: "Harbor Insurance",
      contact_info: { preferred_mfa_method: "email" },
    });
  });
});
