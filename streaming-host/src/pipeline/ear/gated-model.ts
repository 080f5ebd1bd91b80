/** A language model that passes on only the text to be spoken and the tool calls (EAR-1). */
import { createUuid } from "@voice/shared/platform/ids";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { LanguageModel, ModelEvent, ModelRequest, ModelTool } from "@voice/provider-kit/ports/language-model";
import { AnswerBeginnings } from "./answer-beginnings.ts";
import type { AnswerBeginning } from "./answer-beginnings.ts";
import { EarGate } from "./ear-gate.ts";
import { meantCalls } from "./written-calls.ts";

/** Characters of one response, thoughts included. Beyond this it is cut off, as if the model had reached its own limit. */
export const longestWritten = 200_000;

export function gateLanguageModel(
  model: LanguageModel,
  { clock, logger }: { readonly clock: Pick<Clock, "now">; readonly logger: Logger },
): LanguageModel {
  const beginnings = new AnswerBeginnings(clock);
  const logged = new Set<string>();

  function isNew(...kind: readonly unknown[]): boolean {
    const key = JSON.stringify(kind);
    if (logged.has(key) || logged.size >= mostLogged) return false;
    logged.add(key);
    return true;
  }

  function report({ withheld, calls, thoughtCharacters }: EarGate, deploymentId: string): void {
    for (const { what, notation, tool } of withheld) {
      if (!isNew(deploymentId, what, notation, tool)) continue;
      logger[what === "call" ? "warn" : "info"](
        { deploymentId, what, notation, tool, ...(what === "thought" && { thoughtCharacters }) },
        "the language model wrote something into its answer that is not for callers, which was left out; further ones of this kind are not logged",
      );
    }
    for (const { name } of calls)
      if (isNew(deploymentId, "written call"))
        logger.warn(
          { deploymentId, tool: name },
          "the language model wrote a tool call into its text, which is carried out like others; its server should be set to read such calls",
        );
  }

  return {
    ...model,
    async *stream(request, signal) {
      const answer = new GatedAnswer(request, beginnings.of(request.settings.deploymentId, model));
      try {
        for await (const event of model.stream(request, signal)) {
          yield* answer.accept(event);
          if (answer.isOver) return;
        }
        yield* answer.end();
      } catch (error) {
        // Text written before the failure is spoken, as it would have been without the gate.
        if (!signal.aborted) yield* answer.end(true);
        throw error;
      } finally {
        answer.settle();
        report(answer.gate, request.settings.deploymentId);
      }
    },
  };
}

/** Different removals that are logged: a model that invents marks must not fill the log. */
const mostLogged = 50;

class GatedAnswer {
  readonly gate: EarGate;
  readonly #beginning: AnswerBeginning;
  /** Names of tools that were called in the protocol's own form. */
  readonly #called = new Set<string>();
  #written = 0;
  isOver = false;

  readonly #mayCall: boolean;
  readonly #tools: readonly ModelTool[];

  constructor({ tools, toolChoice }: ModelRequest, beginning: AnswerBeginning) {
    this.#beginning = beginning;
    this.#tools = tools;
    this.#mayCall = toolChoice !== "none";
    this.gate = new EarGate({ tools, beginning: beginning.kind });
  }

  *accept(event: ModelEvent): Generator<ModelEvent> {
    if (event.type === "text-delta") {
      this.#written += event.text.length;
      yield* said(this.gate.push(event.text));
      if (this.gate.waitsForBeginning && this.#beginning.hasWaitedLongEnough()) yield* said(this.gate.passBeginning());
      if (this.#written > longestWritten) {
        this.isOver = true;
        yield* said(this.gate.end(true));
        yield { type: "finished", reason: "length" };
      }
    } else if (event.type === "tool-call") {
      for (const call of meantCalls(event.call, this.#tools)) {
        this.#called.add(call.name);
        yield { ...event, call };
      }
    } else {
      this.isOver = true;
      yield* said(this.gate.end(event.reason === "length"));
      const calls = this.#writtenCalls();
      yield* calls.map((call): ModelEvent => ({ type: "tool-call", call }));
      yield event.reason === "stop" && calls.length > 0 ? { ...event, reason: "tool-calls" } : event;
    }
  }

  /** If the stream failed, or ended without its last event, the response `isCut`. */
  *end(isCut = false): Generator<ModelEvent> {
    yield* said(this.gate.end(isCut));
  }

  settle(): void {
    this.#beginning.learn(this.gate.beganInThought);
  }

  /** A server that parses calls may also leave their text in the response; those are not carried out twice. */
  #writtenCalls(): ToolCall[] {
    if (!this.#mayCall) return [];
    return this.gate.calls
      .filter(({ name }) => !this.#called.has(name))
      .map((call) => ({ id: `call_${createUuid()}`, ...call }));
  }
}

function* said(text: string): Generator<ModelEvent> {
  if (text !== "") yield { type: "text-delta", text };
}
