/** The insurance side of a made-up customer: an auto policy, a home policy, and claims that fit them. */
import type { Faker } from "@faker-js/faker";
import type { Claim, DemoProfile, Policy } from "../tools/customers/profile.ts";

const dayMs = 24 * 60 * 60 * 1000;

const insurers = ["Evergreen Insurance", "Pacific Mutual", "Granite Casualty"] as const;

export function generateInsurance(faker: Faker, nowMs: number): Pick<DemoProfile, "policies" | "claims"> {
  const number = (): string => faker.string.numeric({ length: 6, allowLeadingZeros: false });
  const day = (offsetDays: number): string => new Date(nowMs + offsetDays * dayMs).toISOString().slice(0, 10);
  const person = (): string => `${faker.person.firstName()} ${faker.person.lastName()}`;
  const auto: Policy = {
    policy_number: number(),
    type: "auto",
    status: "active",
    insured_item: `a ${faker.helpers.arrayElement(["blue", "red", "silver", "black"])} ${faker.helpers.arrayElement(["hatchback", "sedan", "pickup truck", "van"])}`,
    deductible: faker.helpers.arrayElement([250, 500, 1000]),
    coverage_limit: faker.helpers.arrayElement([50_000, 100_000]),
    premium_monthly: faker.number.int({ min: 60, max: 180 }),
    renews_on: day(faker.number.int({ min: 20, max: 360 })),
    coverages: ["collision", "liability", "theft", "roadside assistance"],
    exclusions: ["racing"],
  };
  const home: Policy = {
    policy_number: number(),
    type: "home",
    status: faker.datatype.boolean({ probability: 0.9 }) ? "active" : "lapsed",
    insured_item: `a ${faker.helpers.arrayElement(["house", "apartment"])} in ${faker.location.city()}`,
    deductible: faker.helpers.arrayElement([500, 1000, 2500]),
    coverage_limit: faker.number.int({ min: 18, max: 60 }) * 10_000,
    premium_monthly: faker.number.int({ min: 70, max: 220 }),
    renews_on: day(faker.number.int({ min: 20, max: 360 })),
    coverages: ["fire", "theft", "water damage", "storm damage"],
    exclusions: ["flood", "earthquake"],
  };
  const recentNumber = faker.number.int({ min: 500_000, max: 899_999 });
  const recent: Claim = {
    claim_number: String(recentNumber),
    policy_number: auto.policy_number,
    kind: "collision",
    status: "in_review",
    incident_date: day(-faker.number.int({ min: 10, max: 60 })),
    description: "Damaged at a traffic light.",
    amount_paid: 0,
    adjuster: person(),
    other_party: { name: person(), insurer: faker.helpers.arrayElement(insurers) },
    liability_percent: faker.helpers.arrayElement([0, 20, 50, 80, 100]),
    subrogation: {
      status: faker.helpers.arrayElement(["demand_received", "in_review"] as const),
      demand_amount: faker.number.int({ min: 8, max: 90 }) * 100,
      rush: false,
    },
    notes: [],
  };
  const old: Claim = {
    claim_number: String(recentNumber - faker.number.int({ min: 20, max: 4000 })),
    policy_number: home.policy_number,
    kind: "water damage",
    status: "paid",
    incident_date: day(-faker.number.int({ min: 150, max: 600 })),
    description: "A pipe burst in the kitchen.",
    amount_paid: faker.number.int({ min: 9, max: 80 }) * 100,
    adjuster: person(),
    notes: [],
  };
  return { policies: [auto, home], claims: [recent, old] };
}
