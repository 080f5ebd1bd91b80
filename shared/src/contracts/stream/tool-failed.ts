/** The code of a failure of a tool among the failures of a conversation, beside the codes of errors. */
export const toolFailed = "tool_failed";
