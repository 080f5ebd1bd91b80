/** What the service reports about itself before sign-in, and about the signed-in user. */
import { z } from "zod";

export const signInAnswer = z.object({
  required: z.boolean(),
  provider: z
    .object({ authority: z.string(), client_id: z.string(), scope: z.string() })
    .transform(({ authority, client_id: clientId, scope }) => ({ authority, clientId, scope }))
    .nullable(),
});

export type SignInProvider = NonNullable<z.output<typeof signInAnswer>["provider"]>;

export const accessAnswer = z
  .object({
    subject: z.string().nullish(),
    /** Absent from an older service, which has one tenant. */
    tenant: z.string().nullish(),
    is_operator: z.boolean(),
    may_place_calls: z.boolean(),
    /** An older service publishes nothing. */
    may_publish: z.boolean().default(false),
  })
  .transform(
    ({ subject, tenant, is_operator: isOperator, may_place_calls: mayPlaceCalls, may_publish: mayPublish }) => ({
      name: subject ?? undefined,
      isOperator,
      runsService: isOperator && (tenant ?? undefined) === undefined,
      mayPlaceCalls,
      mayPublish,
    }),
  );

export type Access = z.output<typeof accessAnswer>;

/** If authentication is off, everybody may do everything. */
export const fullAccess: Access = {
  name: undefined,
  isOperator: true,
  runsService: true,
  mayPlaceCalls: true,
  mayPublish: true,
};
