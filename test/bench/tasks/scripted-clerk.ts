/**
 * A model that makes the calls that a task expects, one in each answer, and then says so. What it shows is that the service carries every
 * call and every result unchanged, not how well an agent does.
 */
import type { LanguageModel, ModelEvent, ModelRequest } from "@voice/provider-kit/ports/language-model";
import { deskName, type Task } from "./task-domain.ts";

type Action = NonNullable<NonNullable<Task["evaluation_criteria"]>["actions"]>[number];

export function actionsOf(task: Task): readonly Action[] {
  return task.evaluation_criteria?.actions ?? [];
}

/** Tokens of English are four characters long, more or less. */
const charactersOfToken = 4;

export interface ScriptedClerk {
  readonly model: LanguageModel;
  /** What a model would have been sent so far, roughly. */
  readonly inputTokens: () => number;
}

/** `act`: does what the caller does with tools of theirs, before the agent's next call. */
export function scriptedClerk(task: Task, act: (action: Action) => Promise<void>): ScriptedClerk {
  const actions = actionsOf(task);
  let done = 0;
  let characters = 0;
  async function* stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    characters += JSON.stringify([request.messages, request.tools]).length;
    const isAsked = request.messages.some(({ role }) => role === "user");
    for (; isAsked && done < actions.length; done += 1) {
      const action = actions[done];
      if (action === undefined) break;
      if (action.requestor === "user") {
        await act(action);
        continue;
      }
      done += 1;
      const argumentsJson = JSON.stringify(action.arguments);
      yield { type: "tool-call", call: { id: `call-${done}`, name: `${deskName}_${action.name}`, argumentsJson } };
      yield { type: "finished", reason: "tool-calls", usage };
      return;
    }
    yield { type: "text-delta", text: "That is done." };
    yield { type: "finished", reason: "stop", usage };
  }
  return { model: { stream }, inputTokens: () => Math.round(characters / charactersOfToken) };
}

const usage = { inputTokens: 0, outputTokens: 0 };
