/** Where people sign in, and their permissions. */
import { signInProvider } from "@voice/shared/auth/sign-in-provider";
import { getAccess, getSignIn } from "@voice/shared/contracts/http/access";
import { answer, type Route } from "../http/route.ts";

export const accessRoutes: readonly Route[] = [
  answer(getSignIn)(async (_input, { settings }) => {
    const provider = signInProvider(settings);
    return {
      required: settings.enableAuthValidation,
      provider:
        provider === undefined
          ? null
          : { authority: provider.authority, client_id: provider.clientId, scope: provider.scope },
    };
  }),

  answer(getAccess)(async ({ request: { caller } }) => ({
    subject: caller.subject,
    tenant: caller.tenant ?? null,
    is_operator: caller.isOperator,
    may_place_calls: caller.mayPlaceCalls,
    may_publish: caller.mayPublish ?? caller.isOperator,
    may_make_agents: caller.mayMakeAgents,
  })),
];
