/** A made-up customer with everything the built-in tools act on. Field names are those of the profile endpoints. */
import { z } from "zod";

const isoDate = z.iso.date();
const digits = (length: number): z.ZodString => z.string().regex(new RegExp(`^\\d{${length}}$`));
const money = z.number().multipleOf(0.01);

export const accountSchema = z.object({
  account_id: z.string(),
  type: z.enum(["checking", "savings"]),
  account_last4: digits(4),
  balance: money,
  available: money,
  currency: z.literal("USD"),
});

export const cardSchema = z.object({
  card_id: z.string(),
  product: z.string(),
  type: z.enum(["credit", "debit"]),
  card_last4: digits(4),
  status: z.enum(["active", "blocked", "replaced"]),
  credit_limit: money.optional(),
  balance: money.optional(),
  expires: z.string(),
});

export const transactionSchema = z.object({
  transaction_id: z.string(),
  account_id: z.string(),
  card_last4: digits(4).optional(),
  merchant: z.string(),
  category: z.string(),
  /** Negative when money left the account. */
  amount: money,
  timestamp: z.iso.datetime(),
  risk_score: z.number().min(0).max(1),
  status: z.enum(["posted", "pending", "disputed", "refunded"]),
  location: z.object({ city: z.string(), country: z.string(), is_international: z.boolean() }),
  fee_reason: z.string().optional(),
});

export const retirementAccountSchema = z.object({
  account_id: z.string(),
  plan: z.enum(["401k", "roth_ira", "traditional_ira"]),
  provider: z.string(),
  balance: money,
  contribution_percent: z.number(),
  vested_percent: z.number(),
  former_employer: z.boolean(),
});

export const policySchema = z.object({
  policy_number: z.string(),
  type: z.enum(["auto", "home"]),
  status: z.enum(["active", "lapsed"]),
  insured_item: z.string(),
  deductible: money,
  coverage_limit: money,
  premium_monthly: money,
  renews_on: isoDate,
  coverages: z.array(z.string()),
  exclusions: z.array(z.string()),
});

export const claimSchema = z.object({
  claim_number: z.string(),
  policy_number: z.string(),
  kind: z.string(),
  status: z.enum(["open", "in_review", "paid", "closed", "denied"]),
  incident_date: isoDate,
  description: z.string(),
  amount_paid: money,
  adjuster: z.string(),
  other_party: z.object({ name: z.string(), insurer: z.string() }).optional(),
  liability_percent: z.number().min(0).max(100).optional(),
  subrogation: z
    .object({
      status: z.enum(["none", "demand_received", "in_review", "accepted", "paid"]),
      demand_amount: money,
      rush: z.boolean(),
    })
    .optional(),
  notes: z.array(z.string()),
});

export const demoProfileSchema = z.object({
  profile_id: z.string(),
  client_id: z.string(),
  full_name: z.string(),
  email: z.string(),
  phone_number: z.string(),
  relationship_tier: z.enum(["standard", "gold", "platinum"]),
  created_at: z.iso.datetime(),
  institution_name: z.string(),
  client_type: z.enum(["individual", "business"]),
  contact_info: z.object({ email: z.string(), phone: z.string(), preferred_mfa_method: z.enum(["email", "sms"]) }),
  verification_codes: z.object({ ssn4: digits(4), phone4: digits(4), pin: digits(4) }),
  mfa_settings: z.object({
    enabled: z.boolean(),
    secret_key: z.string(),
    code_expiry_minutes: z.number(),
    max_attempts: z.number(),
  }),
  compliance: z.object({
    kyc_verified: z.boolean(),
    aml_cleared: z.boolean(),
    last_review_date: isoDate,
    risk_rating: z.enum(["low", "medium", "high"]),
  }),
  customer_intelligence: z.object({
    relationship_context: z.string(),
    preferences: z.object({ preferred_channel: z.string(), communication_style: z.string() }),
    active_alerts: z.array(z.string()),
    monthly_income: money,
    employer: z.string(),
  }),
  accounts: z.array(accountSchema).min(1),
  cards: z.array(cardSchema).min(1),
  transactions: z.array(transactionSchema),
  retirement_accounts: z.array(retirementAccountSchema),
  policies: z.array(policySchema),
  claims: z.array(claimSchema),
});

export type DemoProfile = Readonly<z.infer<typeof demoProfileSchema>>;
export type Account = z.infer<typeof accountSchema>;
export type Card = z.infer<typeof cardSchema>;
export type Transaction = z.infer<typeof transactionSchema>;
export type Policy = z.infer<typeof policySchema>;
export type Claim = z.infer<typeof claimSchema>;

/** The lists that tools change; each given list replaces the profile's own. */
export type ProfilePatch = Partial<Pick<DemoProfile, "accounts" | "cards" | "transactions" | "policies" | "claims">>;

export function applyProfilePatch(profile: DemoProfile, patch: ProfilePatch): DemoProfile {
  return {
    ...profile,
    accounts: patch.accounts ?? profile.accounts,
    cards: patch.cards ?? profile.cards,
    transactions: patch.transactions ?? profile.transactions,
    policies: patch.policies ?? profile.policies,
    claims: patch.claims ?? profile.claims,
  };
}
