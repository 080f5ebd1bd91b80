/** What the service says of itself before anybody has signed in, and of whoever has. */
import { z } from "zod";
export declare const signInAnswer: z.ZodObject<
  {
    required: z.ZodBoolean;
    provider: z.ZodNullable<
      z.ZodPipe<
        z.ZodObject<
          {
            authority: z.ZodString;
            client_id: z.ZodString;
            scope: z.ZodString;
          },
          z.core.$strip
        >,
        z.ZodTransform<
          {
            authority: string;
            clientId: string;
            scope: string;
          },
          {
            authority: string;
            client_id: string;
            scope: string;
          }
        >
      >
    >;
  },
  z.core.$strip
>;
export type SignInProvider = NonNullable<z.output<typeof signInAnswer>["provider"]>;
export declare const accessAnswer: z.ZodPipe<
  z.ZodObject<
    {
      is_operator: z.ZodBoolean;
      may_place_calls: z.ZodBoolean;
    },
    z.core.$strip
  >,
  z.ZodTransform<
    {
      isOperator: boolean;
      mayPlaceCalls: boolean;
    },
    {
      is_operator: boolean;
      may_place_calls: boolean;
    }
  >
>;
export type Access = z.output<typeof accessAnswer>;
/** While authentication is off everybody may do everything. */
export declare const fullAccess: Access;
