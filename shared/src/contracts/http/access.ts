/** What a page needs to know before it can be used: where people sign in, and what they may do. */
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

export const signInResponse = z
  .object({
    required: z.boolean().describe("Whether callers of the API must present a token."),
    provider: z
      .object({
        authority: z.string().describe("The issuer, whose discovery document says the rest."),
        client_id: z.string().describe("Of the page: a public client, authorization code with PKCE."),
        scope: z.string(),
      })
      .nullable()
      .describe("Where people sign in; null where no page can."),
  })
  .meta({ id: "SignInResponse" });

export const accessResponse = z
  .object({
    subject: z.string().describe("Who the token says is asking; `anonymous` while authentication is off."),
    tenant: z
      .string()
      .nullable()
      .describe(
        "Whose sessions and calls the caller may see at all; null where there is one tenant, and for operators of the whole service.",
      ),
    is_operator: z.boolean().describe("Sees and changes what is everybody's."),
    may_place_calls: z.boolean(),
    may_publish: z.boolean().describe("Agents and scenarios for everybody."),
    may_make_agents: z.boolean().describe("Agents and scenarios for sessions."),
  })
  .meta({ id: "AccessResponse" });

export const getSignIn = defineEndpoint({
  name: "signIn",
  at: "GET /sign-in",
  access: "open",
  summary: "Where people sign in who use the service by a page",
  responses: { 200: { description: "Nothing secret.", schema: signInResponse } },
});

export const getAccess = defineEndpoint({
  name: "access",
  at: "GET /access",
  access: "client",
  summary: "What the caller may do",
  responses: { 200: { description: "By the token that came with the request.", schema: accessResponse } },
});
