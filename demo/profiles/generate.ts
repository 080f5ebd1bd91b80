/** Made-up customers: believable, consistent within themselves, and the same again for the same seed. */
import type { Faker } from "@faker-js/faker";
import { faker } from "@faker-js/faker/locale/en"; // all locales at once take ten times as long to load
import type { Account, Card, DemoProfile, Transaction } from "../tools/customers/profile.ts";
import { generateInsurance } from "./generate-insurance.ts";

const dayMs = 24 * 60 * 60 * 1000;

export interface GenerateProfileOptions {
  readonly profileId: string;
  readonly nowMs: number;
  /** The same seed, id and time make the same customer. */
  readonly seed: number;
  readonly fullName?: string | undefined;
  readonly email?: string | undefined;
  readonly phoneNumber?: string | undefined;
  readonly preferredChannel?: "email" | "sms" | undefined;
  readonly scenario?: "banking" | "insurance" | undefined;
}

/** Shops that the built-in agents' examples mention, so that a caller can name them. */
const merchants = [
  ["Corner Market", "groceries", 15, 140],
  ["Green Pharmacy", "health", 8, 60],
  ["City Garage", "car", 45, 420],
  ["Blue Bottle Coffee", "restaurants", 4, 18],
  ["Grand Hotel", "travel", 110, 680],
  ["Sky Electronics", "electronics", 30, 900],
] as const;
const foreignPlaces = [
  ["Lisbon", "PT"],
  ["Warsaw", "PL"],
  ["Osaka", "JP"],
] as const;

/** The order in which values are drawn is part of the result: in another order, a seed makes another customer. */
export function generateProfile(options: GenerateProfileOptions): DemoProfile {
  // One shared generator is enough: it is seeded here, and nothing awaits before it has been used.
  faker.seed(options.seed);
  const { nowMs } = options;
  const person = generatePerson(options);
  const banking = generateBanking(person, nowMs);
  const customerSince = nowMs - faker.number.int({ min: 1, max: 14 }) * 365 * dayMs;
  const isAlarming = banking.transactions.some(({ status, risk_score }) => status === "pending" && risk_score > 0.7);

  return {
    ...generateIdentity(options, person),
    compliance: {
      kyc_verified: true,
      aml_cleared: true,
      last_review_date: isoDay(nowMs - faker.number.int({ min: 10, max: 300 }) * dayMs),
      risk_rating: "low",
    },
    customer_intelligence: {
      relationship_context: `Customer since ${new Date(customerSince).getUTCFullYear()}.`,
      preferences: {
        preferred_channel: person.preferredChannel,
        communication_style: faker.helpers.arrayElement(["short and direct", "friendly and detailed"]),
      },
      active_alerts: isAlarming ? ["unusual charge pending"] : [],
      monthly_income: person.monthlyIncome,
      employer: person.employer,
    },
    accounts: [banking.checking, generateSavings(banking.savingsLast4)],
    cards: banking.cards,
    transactions: banking.transactions,
    retirement_accounts: [generateRetirement()],
    ...generateInsurance(faker, nowMs),
  };
}

type Person = ReturnType<typeof generatePerson>;

function generatePerson({ fullName, email, phoneNumber, preferredChannel = "sms" }: GenerateProfileOptions) {
  const name = fullName ?? `${faker.person.firstName()} ${faker.person.lastName()}`;
  const phone =
    phoneNumber ??
    `+1${faker.string.fromCharacters("23456789")}${faker.string.numeric(2)}55501${faker.string.numeric(2)}`;
  const tier = faker.helpers.arrayElement(["standard", "gold", "platinum"] as const);
  const monthlyIncome = faker.number.int({ min: 24, max: 120 }) * 100;
  const employer = `${faker.location.city()} ${faker.helpers.arrayElement(["Design", "Logistics", "Schools", "Clinic"])}`;
  const city = faker.location.city();
  return { name, email: email ?? exampleAddress(name), phone, preferredChannel, tier, monthlyIncome, employer, city };
}

function generateIdentity({ profileId, nowMs, scenario }: GenerateProfileOptions, person: Person) {
  const { name, email, phone, preferredChannel, tier } = person;
  return {
    profile_id: profileId,
    client_id: `client-${faker.string.numeric(6)}`,
    full_name: name,
    email,
    phone_number: phone,
    relationship_tier: tier,
    created_at: new Date(nowMs).toISOString(),
    institution_name: scenario === "insurance" ? "Harbor Insurance" : "Harbor Bank",
    client_type: "individual" as const,
    contact_info: { email, phone, preferred_mfa_method: preferredChannel },
    verification_codes: { ssn4: faker.string.numeric(4), phone4: phone.slice(-4), pin: faker.string.numeric(4) },
    mfa_settings: { enabled: true, secret_key: faker.string.alphanumeric(32), code_expiry_minutes: 5, max_attempts: 3 },
  };
}

/** A checking account, its cards and what was paid with them. */
function generateBanking({ city, employer, monthlyIncome }: Person, nowMs: number) {
  const checkingLast4 = faker.string.numeric(4);
  const savingsLast4 = faker.string.numeric(4);
  const creditLast4 = faker.string.numeric(4);
  const cards = generateCards({ checkingLast4, creditLast4, monthlyIncome, nowMs });
  const transactions = generateTransactions(faker, {
    nowMs,
    city,
    employer,
    salary: monthlyIncome / 2,
    debit: checkingLast4,
    credit: creditLast4,
  });
  const held = transactions.filter(({ status, card_last4 }) => status === "pending" && card_last4 === checkingLast4);
  const balance = money(200, 9000);
  const checking: Account = {
    account_id: "acct-1",
    type: "checking",
    account_last4: checkingLast4,
    currency: "USD",
    balance,
    available: cents(balance + sum(held)),
  };
  return { checking, savingsLast4, cards, transactions };
}

interface CardSource {
  readonly checkingLast4: string;
  readonly creditLast4: string;
  readonly monthlyIncome: number;
  readonly nowMs: number;
}

function generateCards({ checkingLast4, creditLast4, monthlyIncome, nowMs }: CardSource): Card[] {
  return [
    {
      card_id: "card-1",
      product: faker.helpers.arrayElement(["travel rewards card", "cash back card", "low rate card"]),
      type: "credit",
      card_last4: creditLast4,
      status: "active",
      credit_limit: Math.round(monthlyIncome / 500) * 1000,
      balance: money(0, 900),
      expires: expiry(nowMs, faker.number.int({ min: 6, max: 40 })),
    },
    {
      card_id: "card-2",
      product: "everyday debit card",
      type: "debit",
      card_last4: checkingLast4,
      status: "active",
      expires: expiry(nowMs, faker.number.int({ min: 6, max: 40 })),
    },
  ];
}

function generateSavings(account_last4: string): Account {
  const balance = money(500, 40_000);
  return { account_id: "acct-2", type: "savings", account_last4, currency: "USD", balance, available: balance };
}

function generateRetirement(): DemoProfile["retirement_accounts"][number] {
  return {
    account_id: "ret-1",
    plan: "401k",
    provider: faker.helpers.arrayElement(["Northwind Retirement", "Summit Retirement"]),
    balance: money(8000, 180_000),
    contribution_percent: faker.number.int({ min: 3, max: 10 }),
    vested_percent: faker.helpers.arrayElement([60, 80, 100]),
    former_employer: faker.datatype.boolean(),
  };
}

function money(min: number, max: number): number {
  return faker.number.int({ min: min * 100, max: max * 100 }) / 100;
}

interface TransactionSource {
  readonly nowMs: number;
  readonly city: string;
  readonly employer: string;
  readonly salary: number;
  readonly debit: string;
  readonly credit: string;
}

/** Six weeks, newest first: purchases, the salary, a fee, and one charge abroad that looks wrong. */
function generateTransactions(faker: Faker, source: TransactionSource): Transaction[] {
  const home = { city: source.city, country: "US", is_international: false };
  const common = { account_id: "acct-1", location: home, status: "posted" as const };
  const at = (daysAgo: number): string =>
    new Date(source.nowMs - daysAgo * dayMs - faker.number.int({ max: dayMs - 1 })).toISOString();
  const purchases = Array.from({ length: faker.number.int({ min: 8, max: 14 }) }, () => {
    const [merchant, category, min, max] = faker.helpers.arrayElement(merchants);
    const daysAgo = faker.number.int({ min: 1, max: 42 });
    const status = daysAgo < 2 ? ("pending" as const) : ("posted" as const);
    const card_last4 = faker.helpers.arrayElement([source.debit, source.credit]);
    const amount = -faker.number.int({ min: min * 100, max: max * 100 }) / 100;
    const risk_score = faker.number.int({ max: 30 }) / 100;
    return { ...common, merchant, category, card_last4, amount, status, risk_score, timestamp: at(daysAgo) };
  });
  const [city, country] = faker.helpers.arrayElement(foreignPlaces);
  const strange = {
    ...common,
    merchant: "Sky Electronics",
    category: "electronics",
    card_last4: source.credit,
    amount: -faker.number.int({ min: 60_000, max: 140_000 }) / 100,
    status: "pending" as const,
    risk_score: faker.number.int({ min: 82, max: 97 }) / 100,
    timestamp: at(1),
    location: { city, country, is_international: true },
  };
  const salaries = [3, 17, 31].map((daysAgo) => ({
    ...common,
    merchant: source.employer,
    category: "salary",
    amount: source.salary,
    risk_score: 0,
    timestamp: at(daysAgo),
  }));
  const fee = {
    ...common,
    merchant: "Harbor Bank",
    category: "fee",
    amount: -35,
    risk_score: 0,
    timestamp: at(faker.number.int({ min: 4, max: 20 })),
    fee_reason: "overdraft fee",
  };
  return [...purchases, strange, ...salaries, fee]
    .toSorted((left, right) => right.timestamp.localeCompare(left.timestamp))
    .map((transaction, index) => Object.assign({ transaction_id: `txn-${index + 1}` }, transaction));
}

/** A reserved domain: nothing is ever sent to a stranger. */
function exampleAddress(fullName: string): string {
  const local = fullName
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, "")
    .trim()
    .replaceAll(/ +/g, ".");
  return `${local === "" ? "customer" : local}@example.com`;
}

function expiry(nowMs: number, months: number): string {
  return isoDay(nowMs + months * 30 * dayMs).slice(0, 7);
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function sum(transactions: readonly Transaction[]): number {
  return transactions.reduce((total, { amount }) => total + amount, 0);
}

function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
