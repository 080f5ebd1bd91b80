/** Translates the vendor's failures into our errors. */
import { RestError } from "@azure/core-rest-pipeline";
import { meaningOf } from "@voice/shared/calls/azure/service-codes";
import type { Cause } from "@voice/shared/contracts/calls/cause";
import { UpstreamAccessError, VoiceError } from "@voice/shared/platform/errors";
import { wordOf } from "@voice/shared/platform/foreign-facts";
import { parseJson } from "@voice/shared/platform/parse-json";
import type { ErrorCode } from "@voice/shared/platform/errors";
import { z } from "zod";

const codeByStatus: Readonly<Record<number, ErrorCode>> = {
  408: "upstream_timeout",
  409: "conflict",
  429: "rate_limited",
  504: "upstream_timeout",
};

const accessHelp = "the communication service does not accept our key or identity";

/** The service's code for a call that is not in the state that a request requires. */
const notEstablished = "8501";

/**
 * The service's code for a call that it does not know (Microsoft's call-automation-sdk.md). A 404 alone only shows that something on the
 * way found nothing at the address: for days, the service itself has responded in that way to every valid request
 * (azure-sdk-for-python#38974).
 */
const noSuchCall = "8522";

interface ServiceError {
  readonly code?: string | undefined;
  readonly innerError?: ServiceError | undefined;
  readonly details?: readonly ServiceError[] | undefined;
}

/** `CommunicationError` of the SDK; codes may also be numbers, or the names of earlier versions of the API. */
const codeField = z
  .union([z.string().min(1), z.number().transform(String)])
  .optional()
  .catch(undefined);
const serviceError: z.ZodType<ServiceError> = z.lazy(() =>
  z
    .object({
      code: codeField,
      subCode: codeField,
      subcode: codeField,
      innerError: inner,
      innererror: inner,
      details: z.array(serviceError).optional().catch(undefined),
    })
    .transform(({ code: own, subCode, subcode, innerError, innererror, details = [] }) => ({
      code: own,
      innerError: innerError ?? innererror,
      details: [...details, { code: subCode ?? subcode }],
    })),
);
const inner = z.lazy(() => serviceError.optional().catch(undefined));
const errorBody = z.object({ error: serviceError });

/**
 * Every code that the service itself has sent; none if the response is not the service's own error but a page of a gateway, an empty body,
 * or another server's JSON. The SDK's own `code` is not read, because it also names failures to read the body.
 */
function codesOf({ response }: RestError): readonly string[] {
  const body = errorBody.safeParse(parseJson(response?.bodyAsText ?? ""));
  return body.success ? codesIn(body.data.error) : [];
}

function codesIn({ code: own, innerError, details = [] }: ServiceError): readonly string[] {
  const nested = [...details, ...(innerError === undefined ? [] : [innerError])].flatMap(codesIn);
  return own === undefined ? nested : [own, ...nested];
}

/** The messages contain numbers and ids, so they stay in the cause, of which the log shows only the code. */
export function toCallError(error: unknown, operation: string): VoiceError {
  if (error instanceof VoiceError) return error;
  if (!(error instanceof RestError))
    return new VoiceError("upstream_unavailable", `${operation} failed`, { cause: error, retryable: false });
  const { statusCode: status } = error;
  const codes = codesOf(error);
  if (status === 404 && codes.includes(noSuchCall))
    return new VoiceError("call_not_found", `${operation}: the service knows no such call`, { cause: error });
  // The call is still ringing, or is just ending. Neither state lasts, so the request can be repeated later.
  if (codes.includes(notEstablished))
    return new VoiceError("conflict", `${operation}: the call is not established`, { cause: error, retryable: true });
  const meaning = isClientError(status) ? meaningIn(status, codes) : undefined;
  const isUnspecific = meaning === undefined || meaning.cause === "request";
  if (status === 400 && codes.length > 0 && isUnspecific && isAboutTheNumber(error))
    return new VoiceError("pstn_number_invalid", "the number cannot be called", { cause: error });
  // With an error of the service's own, a 403 is its decision about us; without one it comes from a gateway and is temporary.
  if (status === 401 || (status === 403 && isUnspecific && codes.length > 0))
    return new UpstreamAccessError(`${operation} failed with ${status}`, accessHelp, error);
  const isDecision = isClientError(status) && status !== 408 && status !== 429;
  const code = status === undefined ? "upstream_unavailable" : (codeByStatus[status] ?? "upstream_unavailable");
  if (meaning !== undefined)
    return refusalOf(meaning, { what: `${operation} failed with ${status}`, code, mayPass: !isDecision, cause: error });
  const what = status ?? wordOf(error.code) ?? "no answer";
  if (isDecision && !isOwnRefusal(status, codes))
    return new VoiceError("upstream_unavailable", `${operation} failed with ${what}, and not in the service's words`, {
      cause: error,
    });
  return new VoiceError(code, `${operation} failed with ${what}`, {
    cause: error,
    ...(isDecision ? { retryable: false } : {}),
  });
}

function isClientError(status: number | undefined): status is number {
  return status !== undefined && status >= 400 && status < 500;
}

type Meaning = NonNullable<ReturnType<typeof meaningOf>>;

/** The meaning of the first code that is in the table; outer codes are often as general as the status. */
function meaningIn(status: number, codes: readonly string[]): Meaning | undefined {
  return codes
    .filter(isOfTheService)
    .map((one) => meaningOf(status, Number(one)))
    .find((meaning) => meaning !== undefined && meaning.cause !== "none");
}

/** Somebody has to change a permission or a setting before any such request can succeed. */
const forOperators: ReadonlySet<Cause> = new Set(["permission", "configuration"]);
/** The causes of a refusal after which the same request may succeed later. */
const passing: ReadonlySet<Cause> = new Set(["limit", "network", "service"]);

interface Refusal {
  readonly what: string;
  /** Determined by the status alone. */
  readonly code: ErrorCode;
  readonly mayPass: boolean;
  readonly cause: RestError;
}

function refusalOf({ cause: blamed, about }: Meaning, { what, code, mayPass, cause }: Refusal): VoiceError {
  if (forOperators.has(blamed)) return new UpstreamAccessError(`${what}: ${about}`, about, cause);
  if (blamed === "number") return new VoiceError("pstn_number_invalid", "the number cannot be called", { cause });
  return new VoiceError(blamed === "limit" ? "rate_limited" : code, `${what}: ${about}`, {
    cause,
    reason: about,
    retryable: mayPass || passing.has(blamed),
  });
}

/** The service's own codes are numbers; a gateway's are words. */
function isOfTheService(one: string): boolean {
  return /^\d+$/.test(one);
}

/**
 * Only the service can reject a request: any other server that responds with 4xx has decided nothing about the call. For a 404, the address
 * itself may be wrong, which a gateway reports as `NotFound` in the same form.
 */
function isOwnRefusal(status: number, codes: readonly string[]): boolean {
  return status === 404 ? codes.some((one) => isOfTheService(one) && one !== "404") : codes.length > 0;
}

/**
 * The service's codes for a call that can no longer be answered, in addition to 404/8522: the context of its event is stale, or it has been
 * ended. They come with 400 and 403 (Microsoft's call-automation-sdk.md), which would otherwise mean a mistake of ours or an invalid key.
 */
const tooLateToAnswer: ReadonlySet<string> = new Set(["8523", "7507"]);

/** For a request about a call that is still ringing. */
export function toRingingCallError(error: unknown, operation: string): VoiceError {
  if (error instanceof RestError && codesOf(error).some((one) => tooLateToAnswer.has(one)))
    return new VoiceError("call_not_found", `${operation}: it is too late`, { cause: error });
  return toCallError(error, operation);
}

/** The service has the call but will not stream it, for which the contract has its own code. */
export function toStreamError(error: unknown): unknown {
  if (!(error instanceof VoiceError) || error.code !== "upstream_unavailable") return error;
  const { message, cause, retryable } = error;
  return new VoiceError("media_streaming_failed", message, { cause, retryable });
}

/**
 * The service has one code for every invalid parameter, so only the message shows which one it was. It may also call an unusable address a
 * target; that is a mistake of ours and not a fault of the number.
 */
function isAboutTheNumber({ message }: RestError): boolean {
  if (/\b(?:ur[il]s?|transport\w*|callback\w*|web ?sockets?|endpoint)\b/i.test(message)) return false;
  return /\b(?:phone ?numbers?|target\w*|participants?|identifiers?)\b/i.test(message);
}
