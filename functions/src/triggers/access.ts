/** Where people sign in, and their permissions. */
import { signInProvider } from "@voice/shared/auth/sign-in-provider";
import { getAccess, getSignIn } from "@voice/shared/contracts/http/access";
import { route, type Route } from "../http/route.ts";

export const accessRoutes: readonly Route[] = [
  route(getSignIn)(async (_input, { settings }) => {
    const provider = signInProvider(settings);
    return {
      status: 200,
      body: {
        required: settings.enableAuthValidation,
        provider:
          provider === undefined
            ? null
            : { authority: provider.authority, client_id: provider.clientId, scope: provider.scope },
      },
    };
  }),

  route(getAccess)(async ({ request: { caller } }) => ({
    status: 200,
    body: {
      subject: caller.subject,
      tenant: caller.tenant ?? null,
      is_operator: caller.isOperator,
      may_place_calls: caller.mayPlaceCalls,
      may_publish: caller.mayPublish ?? caller.isOperator,
      may_make_agents: caller.mayMakeAgents,
    },
  })),
];
