/**
 * Whether a realtime model still knows what it had asked when the caller interrupted it (RT-5). The service removes the text of a truncated
 * item; no documentation says from what each model continues after that, so a real account is used.
 */
import { CheckFailure } from "../check.ts";
import type { RealtimeModel, RealtimeSettings } from "@voice/provider-kit/ports/realtime-model";

/** No answer has this word by chance. */
const codeWord = "lighthouse";
const question = `Is your code word ${codeWord}, yes or no, and would you like to hear what else I can do for you today?`;
/** Up to here the question was heard: the rest of it nobody heard. */
const heard = `Is your code word ${codeWord}, yes or no,`;

export async function checkMemory(
  model: RealtimeModel,
  settings: RealtimeSettings,
  signal: AbortSignal,
): Promise<string> {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  let finished = Promise.withResolvers<undefined>();
  let [itemId, text, samples] = ["", "", 0];
  const session = await model.open(
    settings,
    {
      onEvent(event) {
        if (event.type === "audio") {
          itemId ||= event.itemId;
          samples += event.samples.length;
        } else if (event.type === "agent-text") text += event.delta;
        else if (event.type === "response-finished")
          if (event.status === "failed") failed.reject(event.error ?? new Error("the model failed an answer"));
          else finished.resolve(undefined);
      },
      onEnded: (error) => failed.reject(error),
    },
    signal,
  );
  try {
    session.respond({ say: question });
    await Promise.race([finished.promise, failed.promise]);
    const durationMs = (samples * 1000) / settings.sampleRateHz;
    session.truncate(itemId, (durationMs * heard.length) / question.length, heard);
    finished = Promise.withResolvers();
    text = "";
    session.sendText("Which code word did you just ask me about? Say the word.");
    session.respond();
    await Promise.race([finished.promise, failed.promise]);
  } finally {
    session.close();
  }
  if (text.toLowerCase().includes(codeWord)) return "knows what it had asked when the caller cut it off";
  throw new CheckFailure(
    "the model does not know what it had asked when the caller cut it off",
    "tell the model in the prompt to ask again where an answer does not fit, and report the model's name and region",
  );
}
