/** Random demo customers. Invented people, treated as personal data all the same. */
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { freeForm, idField, phoneNumberField, timestampField } from "./fields.ts";

export const profileGenerateRequest = z
  .strictObject({
    full_name: z.string().trim().min(1).max(120).nullish(),
    email: z.email().max(254).nullish(),
    phone_number: phoneNumberField.nullish(),
    preferred_channel: z.enum(["email", "sms"]).nullish(),
    scenario: z.enum(["banking", "insurance"]).nullish(),
    seed: z.int().min(0).max(2_147_483_647).nullish().describe("The same seed makes the same person."),
    session_id: idField.nullish().describe("The session that this customer will talk in."),
  })
  .meta({ id: "ProfileGenerateRequest" });

export type ProfileGenerateRequest = z.infer<typeof profileGenerateRequest>;

export const profileResponse = z
  .object({
    profile_id: z.string(),
    name: z.string(),
    accounts: z.array(freeForm),
    mfa: freeForm,
    session_id: z.string().nullable(),
    created_at: timestampField,
    expires_at: timestampField,
    profile: freeForm.describe("The whole record, as agents and tools see it."),
    safety_notice: z.string(),
  })
  .meta({ id: "ProfileResponse" });

export const generateProfile = defineEndpoint({
  name: "profilesGenerate",
  at: "POST /profiles/generate",
  access: "client",
  summary: "Generates a random demo customer",
  body: profileGenerateRequest.optional(),
  responses: { 200: { description: "The customer, kept for a day.", schema: profileResponse } },
  problems: ["rate_limited", "not_found", "cache_connection_failed"],
});

export const getProfile = defineEndpoint({
  name: "profilesGet",
  at: "GET /profiles/{profile_id}",
  access: "client",
  summary: "A generated customer",
  params: z.object({ profile_id: idField }),
  responses: { 200: { description: "The customer.", schema: profileResponse } },
  problems: ["not_found", "cache_connection_failed"],
});
