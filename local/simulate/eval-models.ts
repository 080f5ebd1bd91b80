/** The addresses and names of the models that play callers and judge. */
import { loadSettings } from "@voice/shared/config/load";
import type { Environment } from "@voice/shared/config/load";
import { isOpenAi } from "@voice/shared/config/openai-servers";
import type { SimulateArguments } from "./simulate-arguments.ts";
import { UsageProblem } from "../command-line/usage-problem.ts";

export interface EvalModels {
  /** `/v1` included. */
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly caller: string;
  readonly judge: string;
}

/** EVAL-8: asked before anything is begun, because each session would fail in the same way. */
export function evalModels(
  args: Pick<SimulateArguments, "caller-model" | "judge-model">,
  agentsModel: string,
  environment: Environment,
): EvalModels {
  const { openaiBaseUrl, openaiApiKey } = loadSettings(environment);
  const { EVAL_BASE_URL: own, EVAL_API_KEY, EVAL_CALLER_MODEL, EVAL_JUDGE_MODEL } = environment;
  if (own !== undefined && !/^https?:$/.test(URL.parse(own)?.protocol ?? ""))
    throw new UsageProblem("EVAL_BASE_URL must be an address such as https://models.example/v1");
  if (own === undefined && isOpenAi(openaiBaseUrl) && openaiApiKey === undefined)
    throw new UsageProblem(
      "No model can play callers or judge: set EVAL_BASE_URL and EVAL_API_KEY to a server of OpenAI's protocol (docs/evals.md)",
    );
  return {
    baseUrl: (own ?? openaiBaseUrl).replace(/\/$/, ""),
    // A key belongs to one server.
    key: own === undefined ? openaiApiKey : EVAL_API_KEY,
    caller: args["caller-model"] ?? EVAL_CALLER_MODEL ?? agentsModel,
    judge: args["judge-model"] ?? EVAL_JUDGE_MODEL ?? agentsModel,
  };
}
