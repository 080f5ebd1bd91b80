/** A catalog's agent in the format of `POST /agents`, so that it can be copied, changed and tried in a session. */
import type { Agent } from "@voice/shared/catalog/agent";
import { isPlainObject, type PlainObject } from "@voice/shared/platform/plain-object";
import { agentDocument } from "@voice/shared/contracts/agents/agent-document";

export function definitionOf({ name, prompt, written }: Pick<Agent, "name" | "prompt" | "written">): PlainObject {
  const { voice, ...config } = written?.config ?? {};
  const rules = written?.rules() ?? {};
  return known({
    name,
    ...config,
    prompt,
    ...(isPlainObject(voice) ? { voice: spokenWith(voice) } : {}),
    ...(Object.keys(rules).length === 0 ? {} : { rules }),
  });
}

function spokenWith({ name, style, rate, pitch, ...own }: PlainObject): PlainObject {
  return { voice_name: name, voice_style: style, voice_rate: rate, voice_pitch: pitch, ...own };
}

/** The fields that are set, in the order in which the contract names them. */
function known(values: PlainObject): PlainObject {
  return Object.fromEntries(
    Object.keys(agentDocument.shape)
      .filter((key) => values[key] !== undefined)
      .map((key) => [key, values[key]]),
  );
}
