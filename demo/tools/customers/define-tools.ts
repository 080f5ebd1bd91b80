/** The two kinds of tools that act for a customer of the demonstration. */
import {
  defineTool,
  failed,
  type DefinedTool,
  type ToolContext,
  type ToolDefinition,
  type ToolFailure,
} from "@voice/tool-kit";
import type { z } from "zod";
import { applyProfilePatch, demoProfileSchema, type DemoProfile, type ProfilePatch } from "./profile.ts";

export interface ProfileContext extends ToolContext {
  readonly profile: DemoProfile;
  /** `change` returns the lists that it changes. It may be called more than once. */
  changeProfile(change: (profile: DemoProfile) => ProfilePatch): Promise<DemoProfile>;
}

type Result = Readonly<Record<string, unknown>> | ToolFailure;

export interface ProfileToolDefinition<Parameters extends z.ZodObject> extends Omit<
  ToolDefinition<Parameters>,
  "run" | "result"
> {
  run(args: z.output<Parameters>, context: ProfileContext): Result | Promise<Result>;
}

/** Without a known customer such a tool fails, because made-up details must not pass for somebody's. */
export function defineProfileTool<Parameters extends z.ZodObject>(
  definition: ProfileToolDefinition<Parameters>,
): DefinedTool {
  return defineTool({
    ...definition,
    run: (args: z.output<Parameters>, context) => {
      const { customer } = context;
      if (customer === undefined) return failed("not_found", "I do not know whose account this is about.");
      return definition.run(args, {
        ...context,
        profile: demoProfileSchema.parse(customer.document),
        changeProfile: async (change) => {
          const changed = await customer.update((document) => {
            const profile = demoProfileSchema.parse(document);
            return applyProfilePatch(profile, change(profile));
          });
          return demoProfileSchema.parse(changed);
        },
      });
    },
  });
}

/** Such a tool reveals nothing before the caller's identity has been verified, whatever the model decides. */
export function defineGuardedTool<Parameters extends z.ZodObject>(
  definition: ProfileToolDefinition<Parameters>,
): DefinedTool {
  return defineProfileTool({ ...definition, verifiedCaller: true });
}
