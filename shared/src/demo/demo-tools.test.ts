import { describe, expect, it } from "vitest";
import { VirtualClock } from "../platform/virtual-clock.ts";
import { defaultProfile } from "@voice/demo/profiles/default-profile";
import { demoProfileSchema, type DemoProfile } from "@voice/demo/tools/customers/profile";
import { createMemoryState } from "../state/memory/create-memory-state.ts";
import { demoTools } from "./demo-parts.ts";
import { createIdentityChecks, type IdentityChecks } from "../tools/identity/identity-checks.ts";
import { toolSchema } from "../tools/define-tool.ts";
import { runTools, type ToolCallResult } from "../tools/run-tools.ts";
import type { Customer, CustomerDocument } from "../tools/customer.ts";

type Memory = Readonly<Record<string, unknown>>;

const clock = new VirtualClock(Date.UTC(2026, 2, 21)); // a Saturday
const verified: Memory = { identity_verified: true, verified_customer: defaultProfile.profile_id };
const insurer: Memory = { insurer_verified: "550127" };

function newChecks(): IdentityChecks {
  const { counters } = createMemoryState({ clock });
  return createIdentityChecks(counters, () => "ada", true);
}

async function call(
  name: string,
  args: object,
  memory: Memory = {},
  customer: DemoProfile | Customer = defaultProfile,
  checks: IdentityChecks = newChecks(),
): Promise<ToolCallResult> {
  const [result] = await runTools([{ id: "1", name, argumentsJson: JSON.stringify(args) }], {
    tools: demoTools,
    context: {
      sessionId: "s",
      turnId: "t",
      agent: "a",
      memory,
      clock,
      customer: "document" in customer ? customer : customerOf(customer),
      checks,
    },
    interrupted: new AbortController().signal,
  });
  if (result === undefined) throw new Error("no result");
  return result;
}

function customerOf(before: DemoProfile): Customer {
  let document: CustomerDocument = before;
  return {
    id: before.profile_id,
    get document() {
      return document;
    },
    async update(change) {
      document = change(document);
      return await Promise.resolve(document);
    },
  };
}

/** Calls tools one after the other, as turns of one session, so that each sees what the previous ones changed. */
async function callAll(
  calls: readonly (readonly [string, object])[],
  memory: Memory = verified,
): Promise<ToolCallResult> {
  const known = { ...memory };
  const customer = customerOf(defaultProfile);
  const checks = newChecks();
  let last: ToolCallResult | undefined;
  for (const [name, args] of calls) {
    last = await call(name, args, known, customer, checks);
    Object.assign(known, last.memory);
  }
  if (last === undefined) throw new Error("no calls");
  return last;
}

const without = (change: Partial<DemoProfile>): DemoProfile => ({ ...defaultProfile, ...change });
const [auto, home] = defaultProfile.policies;
const claim = (change: object): DemoProfile =>
  without({
    claims: defaultProfile.claims.map((other) =>
      Object.assign({}, other, other.claim_number === "550127" ? change : {}),
    ),
  });

describe("the default profile", () => {
  it("is a valid profile whose parts refer to each other", () => {
    expect(demoProfileSchema.parse(defaultProfile)).toEqual(defaultProfile);
    const accounts = new Set(defaultProfile.accounts.map((account) => account.account_id));
    expect(defaultProfile.transactions.filter((transaction) => !accounts.has(transaction.account_id))).toEqual([]);
  });
});

describe("built-in tools succeed", () => {
  it.each<[string, object, Memory, object]>([
    ["verify_identity", { ssn_last4: "7296" }, {}, { caller_name: "Alex Morgan" }],
    ["verify_identity", { ssn_last4: "7296", full_name: "alex  morgan" }, {}, { client_id: "client-1001" }],
    ["send_code", {}, {}, { method: "sms", ending: "42", expires_in_minutes: 5 }],
    ["get_account_balance", { account: "savings" }, {}, { balance: 11_200 }],
    ["get_account_summary", {}, verified, { total: 13_630.5 }],
    [
      "get_recent_transactions",
      { count: 1 },
      verified,
      { transactions: [expect.objectContaining({ merchant: "Corner Market", direction: "paid" })] },
    ],
    [
      "get_recent_transactions",
      { merchant: "pharmacy" },
      verified,
      { transactions: [expect.objectContaining({ amount: 18.75 })] },
    ],
    ["refund_fee", {}, verified, { amount: 35, reason: "overdraft fee" }],
    ["get_routing_number", { account: "checking" }, verified, { routing_number: expect.stringMatching(/^\d{9}$/) }],
    ["get_card_details", { card: "credit" }, verified, { credit_limit: 8000, status: "active" }],
    ["block_card", { card: "debit" }, {}, { card_last4: "7731", status: "blocked" }],
    ["search_card_products", { interest: "travel" }, {}, { name: "Travel Rewards", annual_fee: 95 }],
    ["check_card_eligibility", { product: "travel" }, verified, { credit_limit: 10_400 }],
    ["apply_for_card", { product: "cash_back" }, verified, { name: "Cash Back", business_days: 7 }],
    ["check_suspicious_activity", {}, verified, { count: 1 }],
    ["dispute_transaction", {}, verified, { merchant: "Sky Electronics", amount: 899 }],
    ["dispute_transaction", { merchant: "corner" }, verified, { merchant: "Corner Market" }],
    [
      "open_fraud_case",
      { description: "A stranger paid with it." },
      verified,
      { case_number: expect.stringMatching(/^\d{6}$/) },
    ],
    ["get_retirement_accounts", {}, verified, { total: 57_350 }],
    ["get_rollover_options", {}, verified, { provider: "Northwind Retirement" }],
    ["estimate_withdrawal_tax", { amount: 5000 }, verified, { tax: 1600, you_receive: 3400 }],
    [
      "list_policies",
      {},
      verified,
      { policies: [expect.objectContaining({ type: "auto" }), expect.objectContaining({ type: "home" })] },
    ],
    ["get_policy_details", { policy: "auto" }, verified, { deductible: 500 }],
    ["check_coverage", { policy: "home", peril: "flooding" }, verified, { covered: "no" }],
    ["check_coverage", { policy: "home", peril: "water damage" }, verified, { covered: "yes" }],
    ["check_coverage", { policy: "home", peril: "meteorite" }, verified, { covered: "unclear" }],
    [
      "report_claim",
      { policy: "auto", incident_date: "2026-03-20", kind: "collision" },
      verified,
      { claim_number: "550128" },
    ],
    ["get_claim_status", {}, verified, { claim_number: "550127", status: "in review" }],
    ["get_claim_status", { claim_number: "550098" }, verified, { amount_paid: 4100 }],
    ["add_claim_note", { claim_number: "550127", note: "There was a witness." }, verified, { adjuster: "Dana Lee" }],
    ["verify_insurer", { claim_number: "550127", company: "Evergreen" }, {}, { claimant: "Pat Smith" }],
    ["get_demand_status", {}, insurer, { status: "received", demand_amount: 3400 }],
    ["get_liability_decision", {}, insurer, { liability_percent: 20 }],
    ["request_rush", {}, insurer, { business_days: 2 }],
    ["schedule_callback", { day: "monday" }, {}, { date: "2026-03-23", part_of_day: "afternoon" }],
    ["submit_complaint", { description: "Nobody answers." }, {}, { answer_within_days: 5 }],
  ])("%s %j", async (name, args, memory, result) => {
    expect((await call(name, args, memory)).result).toMatchObject({ success: true, ...result });
  });

  it.each<[string, object, object]>([
    ["escalate_human", { reason: "asked" }, { type: "escalate", reason: "asked" }],
    ["transfer_call", { department: "mortgages", reason: "asked" }, { type: "transfer", target: "mortgages" }],
    ["press_keys", { keys: "12#" }, { type: "send-dtmf", digits: "12#" }],
    ["end_call", { reason: "done" }, { type: "hang-up", reason: "done" }],
  ])("%s returns its effect", async (name, args, effect) => {
    expect((await call(name, args)).effects).toEqual([expect.objectContaining(effect)]);
  });
});

describe("built-in tools fail as the world does", () => {
  it.each<[string, string, object, Memory, DemoProfile | undefined]>([
    ["wrong_details", "verify_identity", { ssn_last4: "0000" }, {}, undefined],
    ["wrong_details", "verify_identity", { ssn_last4: "7296", full_name: "Somebody Else" }, {}, undefined],
    [
      "not_enrolled",
      "send_code",
      {},
      {},
      without({ mfa_settings: { ...defaultProfile.mfa_settings, enabled: false } }),
    ],
    ["no_code_sent", "verify_code", { code: "123456" }, {}, undefined],
    [
      "no_such_account",
      "get_account_balance",
      { account: "savings" },
      {},
      without({ accounts: defaultProfile.accounts.slice(0, 1) }),
    ],
    [
      "no_such_account",
      "get_routing_number",
      { account: "savings" },
      verified,
      without({ accounts: defaultProfile.accounts.slice(0, 1) }),
    ],
    ["no_transactions", "get_recent_transactions", { merchant: "nobody" }, verified, undefined],
    ["no_fee", "refund_fee", {}, verified, without({ transactions: [] })],
    [
      "no_such_card",
      "get_card_details",
      { card: "debit" },
      verified,
      without({ cards: defaultProfile.cards.slice(0, 1) }),
    ],
    ["no_such_card", "block_card", { card: "debit" }, {}, without({ cards: defaultProfile.cards.slice(0, 1) })],
    ["not_blocked", "order_replacement_card", { card: "credit" }, verified, undefined],
    ["not_eligible", "check_card_eligibility", { product: "premium" }, verified, undefined],
    ["not_eligible", "apply_for_card", { product: "premium" }, verified, undefined],
    [
      "review_needed",
      "apply_for_card",
      { product: "travel" },
      verified,
      without({ compliance: { ...defaultProfile.compliance, kyc_verified: false } }),
    ],
    ["no_such_transaction", "dispute_transaction", { merchant: "nobody" }, verified, undefined],
    [
      "already_refunded",
      "dispute_transaction",
      { merchant: "Corner" },
      verified,
      without({
        transactions: defaultProfile.transactions.map((other) => Object.assign({}, other, { status: "refunded" })),
      }),
    ],
    ["case_exists", "open_fraud_case", { description: "x" }, { ...verified, fraud_case: {} }, undefined],
    ["none", "get_retirement_accounts", {}, verified, without({ retirement_accounts: [] })],
    ["nothing_to_roll_over", "get_rollover_options", {}, verified, without({ retirement_accounts: [] })],
    ["not_enough", "estimate_withdrawal_tax", { amount: 1e9 }, verified, undefined],
    ["no_policies", "list_policies", {}, verified, without({ policies: [] })],
    [
      "no_such_policy",
      "get_policy_details",
      { policy: "home" },
      verified,
      without({ policies: auto === undefined ? [] : [auto] }),
    ],
    [
      "lapsed",
      "check_coverage",
      { policy: "home", peril: "fire" },
      verified,
      without({ policies: home === undefined ? [] : [{ ...home, status: "lapsed" }] }),
    ],
    [
      "date_in_future",
      "report_claim",
      { policy: "auto", incident_date: "2026-03-22", kind: "theft" },
      verified,
      undefined,
    ],
    ["too_late", "report_claim", { policy: "auto", incident_date: "2023-01-01", kind: "theft" }, verified, undefined],
    [
      "already_reported",
      "report_claim",
      { policy: "auto", incident_date: "2026-02-20", kind: "collision" },
      verified,
      undefined,
    ],
    ["no_such_claim", "get_claim_status", { claim_number: "999999" }, verified, undefined],
    ["no_such_claim", "add_claim_note", { claim_number: "999999", note: "x" }, verified, undefined],
    ["claim_closed", "add_claim_note", { claim_number: "550098", note: "x" }, verified, undefined],
    ["no_such_claim", "verify_insurer", { claim_number: "999999" }, {}, undefined],
    ["no_other_party", "verify_insurer", { claim_number: "550098" }, {}, undefined],
    ["wrong_company", "verify_insurer", { claim_number: "550127", company: "Pacific Mutual" }, {}, undefined],
    ["not_verified", "get_demand_status", {}, {}, undefined],
    ["no_demand", "get_demand_status", {}, insurer, claim({ subrogation: undefined })],
    ["undecided", "get_liability_decision", {}, insurer, claim({ liability_percent: undefined })],
    [
      "not_eligible",
      "request_rush",
      {},
      insurer,
      claim({ subrogation: { status: "in_review", demand_amount: 100, rush: false } }),
    ],
    ["closed", "schedule_callback", { day: "sunday" }, {}, undefined],
    ["already_submitted", "submit_complaint", { description: "Loud." }, { complaint: "Loud." }, undefined],
  ])("%s: %s %j", async (error, name, args, memory, profile) => {
    const { result, status } = await call(name, args, memory, profile);
    expect({ status, error: result["error"] }).toEqual({ status: "error", error });
    expect(result["message"]).toMatch(/^[A-Z].*\.$/);
  });

  it.each(
    [...demoTools.values()]
      .filter((tool) => tool.description.includes("must have been verified"))
      .map((tool) => tool.name),
  )("%s gives nothing away before the caller is verified", async (name) => {
    const shape = demoTools.get(name)?.parameters.shape ?? {};
    const samples: Record<string, unknown> = {
      account: "checking",
      card: "credit",
      product: "travel",
      description: "x",
      amount: 1,
      policy: "auto",
      peril: "fire",
      incident_date: "2026-03-20",
      kind: "theft",
      claim_number: "550127",
      note: "x",
    };
    const args = Object.fromEntries(
      Object.keys(shape)
        .filter((key) => key in samples)
        .map((key) => [key, samples[key]]),
    );
    const { result } = await call(name, args);
    expect(result).toEqual({ success: false, error: "not_verified", message: expect.any(String) });
  });

  it("[CUSTOMER-6a] take a proof of identity for the customer whose it was, and for no other", async () => {
    const proof = await call("verify_identity", { ssn_last4: "7296" });
    expect((await call("get_account_summary", {}, proof.memory)).status).toBe("success");
    const other = { ...customerOf(defaultProfile), id: "somebody-else" };
    const asked = await call("get_account_summary", {}, proof.memory, other);
    expect(asked.result).toMatchObject({ success: false, error: "not_verified" });
  });

  it.each([
    ["of another customer", { ...verified, verified_customer: "somebody-else" }],
    ["of which the last release has not written whose it was", { identity_verified: true }],
  ])(
    "[CUSTOMER-6a] forget a proof %s, so that whoever asks by what is remembered asks for another",
    async (_, memory) => {
      const refused = await call("get_account_summary", {}, memory);
      expect(refused).toMatchObject({ result: { error: "not_verified" }, memory: { identity_verified: false } });
      expect((await call("get_account_summary", {})).memory).toEqual({});
    },
  );
});

describe("what a tool changes lasts", () => {
  it("for the session, without a bound profile", async () => {
    expect(
      (
        await callAll([
          ["block_card", { card: "credit" }],
          ["block_card", { card: "credit" }],
        ])
      ).result["error"],
    ).toBe("already_blocked");
    expect(
      (
        await callAll([
          ["block_card", { card: "credit" }],
          ["order_replacement_card", { card: "credit" }],
        ])
      ).status,
    ).toBe("success");
    expect(
      (
        await callAll([
          ["refund_fee", {}],
          ["refund_fee", {}],
        ])
      ).result["error"],
    ).toBe("already_refunded");
    expect(
      (
        await callAll([
          ["refund_fee", {}],
          ["get_account_balance", { account: "checking" }],
        ])
      ).result["balance"],
    ).toBe(2465.5);
    expect(
      (
        await callAll([
          ["dispute_transaction", {}],
          ["check_suspicious_activity", {}],
        ])
      ).result["count"],
    ).toBe(0);
    expect(
      (
        await callAll([
          ["dispute_transaction", {}],
          ["dispute_transaction", { merchant: "Sky" }],
        ])
      ).result["error"],
    ).toBe("already_disputed");
    expect(
      (
        await callAll([
          ["apply_for_card", { product: "travel" }],
          ["apply_for_card", { product: "travel" }],
        ])
      ).result["error"],
    ).toBe("already_applied");
    expect(
      (
        await callAll(
          [
            ["request_rush", {}],
            ["request_rush", {}],
          ],
          insurer,
        )
      ).result["error"],
    ).toBe("already_rushed");
    const claims = [
      ["report_claim", { policy: "home", incident_date: "2026-03-20", kind: "fire" }],
      ["get_claim_status", {}],
    ] as const;
    expect((await callAll(claims)).result).toMatchObject({ kind: "fire", claim_number: "550128" });
  });

  it("in the customer's document, and nowhere else", async () => {
    const customer = customerOf({ ...defaultProfile, profile_id: "mine" });
    const run = async (name: string): Promise<ToolCallResult | undefined> => {
      const [result] = await runTools([{ id: "1", name, argumentsJson: '{"card":"debit"}' }], {
        tools: demoTools,
        context: { sessionId: "s", turnId: "t", agent: "a", memory: {}, clock, customer, checks: newChecks() },
        interrupted: new AbortController().signal,
      });
      return result;
    };
    expect((await run("block_card"))?.memory).toEqual({ last_card: "debit" });
    expect((await run("block_card"))?.result["error"]).toBe("already_blocked");
    expect(defaultProfile.cards.map((card) => card.status)).toEqual(["active", "active"]);
  });
});

describe("several changes in one step", () => {
  async function together(
    calls: readonly (readonly [string, object])[],
    memory: Memory,
    customer: Customer = customerOf(defaultProfile),
  ): Promise<readonly ToolCallResult[]> {
    return runTools(
      calls.map(([name, args], index) => ({ id: String(index), name, argumentsJson: JSON.stringify(args) })),
      {
        tools: demoTools,
        context: { sessionId: "s", turnId: "t", agent: "a", memory, clock, customer, checks: newChecks() },
        interrupted: new AbortController().signal,
      },
    );
  }
  const blocks = [
    ["block_card", { card: "debit" }],
    ["block_card", { card: "credit" }],
  ] as const;

  it("are all kept", async () => {
    const customer = customerOf(defaultProfile);
    await together(blocks, verified, customer);
    expect(demoProfileSchema.parse(customer.document).cards.map(({ status }) => status)).toEqual([
      "blocked",
      "blocked",
    ]);
  });

  it("give every new claim a number of its own", async () => {
    const facts = { policy: "home", kind: "fire" };
    const results = await together(
      [
        ["report_claim", { ...facts, incident_date: "2026-03-19" }],
        ["report_claim", { ...facts, incident_date: "2026-03-20" }],
      ],
      verified,
      customerOf(defaultProfile),
    );
    expect(results.map(({ result }) => result["claim_number"])).toEqual(["550128", "550129"]);
  });

  it("count every guess", async () => {
    const guesses = ["1111", "2222", "3333", "7296"].map((ssn_last4) => ["verify_identity", { ssn_last4 }] as const);
    const results = await together(guesses, {});
    expect(results.map(({ result }) => result["error"])).toEqual([
      "wrong_details",
      "wrong_details",
      "too_many_attempts",
      "too_many_attempts",
    ]);
  });
});

describe("a one-time code", () => {
  it("is accepted once it is right, and not after it expired or after too many guesses", async () => {
    const sent = await call("send_code", {});
    const code = sent.result["demo_code"];
    expect((await call("verify_code", { code }, sent.memory)).memory).toMatchObject({ code_verified: true });
    const wrong = code === "000000" ? "000001" : "000000";
    const guessed = await callAll(
      [
        ["verify_code", { code: wrong }],
        ["verify_code", { code: wrong }],
        ["verify_code", { code: wrong }],
        ["verify_code", { code }],
      ],
      sent.memory,
    );
    expect(guessed.result["error"]).toBe("too_many_attempts");
    clock.advance(5 * 60_000 + 1);
    expect((await call("verify_code", { code }, sent.memory)).result["error"]).toBe("code_expired");
  });
});

describe("every built-in tool", () => {
  it.each([...demoTools.values()])("$name has a schema and a description that a model can use", (tool) => {
    expect(toolSchema(tool)).toMatchObject({ type: "object", properties: {} });
    expect(tool.description.length).toBeGreaterThan(20);
    expect(tool.name).toMatch(/^[a-z_]{3,40}$/);
  });
});
