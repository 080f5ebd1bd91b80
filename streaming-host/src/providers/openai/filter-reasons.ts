/**
 * How servers report that a filter has stopped a response, or rejected a request (MODEL-1, MODEL-2): OpenAI's and Azure's `content_filter`
 * and `ResponsibleAIPolicyViolation`, Gemini's `SAFETY`, `RECITATION`, `PROHIBITED_CONTENT`, `BLOCKLIST` and `SPII`, also after a prefix
 * (`content_filter: PROHIBITED_CONTENT`), Claude's `refusal`, Bedrock's `guardrail_intervened`, DashScope's `data_inspection_failed`,
 * DeepSeek's and Zhipu's `sensitive`. Gemini's `function_call_filter: MALFORMED_FUNCTION_CALL` is not a filter but a malformed call.
 */
const filterWords =
  /content.?(?:filter|policy|blocked|management)|safety|recitation|prohibited|blocklist|spii|refusal|guardrail|moderation|sensitive|data_inspection|responsible.?ai/i;

export function isFilterReason(reason: string): boolean {
  return filterWords.test(reason);
}
