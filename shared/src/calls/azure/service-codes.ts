/**
 * What the communication service's codes mean. It reports two numbers: a code, modelled on SIP and HTTP, and a
 * sub-code that says who produced it. Sub-codes 540xxx and 560xxx carry the SIP answer of the far end's network; every other
 * one is the service's own and says nothing about the far end's number.
 *
 * The sources are pages of MicrosoftDocs/azure-docs below articles/communication-services/resources/troubleshooting/
 * voice-video-calling/includes/codes, and Microsoft Graph's list of call end reasons.
 */
import type { Cause, Meaning } from "../../contracts/calls/cause.ts";

export interface ServiceCode {
  /** Absent: the source names the sub-code alone, and it means the same beside every code. */
  readonly code?: number;
  /** Absent: the service gave none, or zero. */
  readonly subCode?: number;
  readonly cause: Cause;
  /** What happened, as a clause for an operator. */
  readonly about: string;
  readonly source: string;
}

type PairRow = readonly [code: number, subCode: number, cause: Cause, about: string];
type SubCodeRow = readonly [subCode: number, cause: Cause, about: string];
type CodeRow = readonly [code: number, cause: Cause, about: string];

const pairs = (source: string, rows: readonly PairRow[]): readonly ServiceCode[] =>
  rows.map(([code, subCode, cause, about]) => ({ code, subCode, cause, about, source }));
const subCodes = (source: string, rows: readonly SubCodeRow[]): readonly ServiceCode[] =>
  rows.map(([subCode, cause, about]) => ({ subCode, cause, about, source }));
const codes = (source: string, rows: readonly CodeRow[]): readonly ServiceCode[] =>
  rows.map(([code, cause, about]) => ({ code, cause, about, source }));

const noDevice = "no telephone or application of theirs is registered or online";
const noMedia = "no audio connection could be set up: firewalls, relays or the network do not let it through";
const lostMedia = "the audio connection was lost";
const lostNetwork = "the network connection was lost";
const rights = "the service does not accept our identity or its rights";
const notOurs = "the number, trunk or resource is not set up in the communication service";
const wrongState = "the request does not fit the state of the call";
const media = "a media operation of the service failed";
const teams = "the meeting or the Teams tenant does not allow it";
const limits = "the communication service allows no more of it now";
const internal = "an error inside the communication service";

/** In the order of their sources. A pair is looked up before its sub-code alone. */
export const serviceCodes: readonly ServiceCode[] = [
  ...pairs("pstn.md", [
    [403, 510_403, "permission", "the call was blocked: the caller id is not ours, or it was taken for spam"],
    [403, 511_532, "configuration", "the service does not find the SIP trunk of direct routing"],
    [404, 511_404, "configuration", notOurs],
    [408, 500_001, "no-answer", "no answer"],
    [410, 531_004, "network", noMedia],
  ]),
  ...pairs("call-end.md", [
    [496, 7, "network", lostNetwork],
    [410, 3100, "network", lostNetwork],
    [410, 3101, "network", lostNetwork],
    [410, 3111, "network", "the offer of audio could not be processed"],
    [410, 3112, "network", noMedia],
    [0, 4097, "none", "ended for everybody by the organiser"],
    [490, 4502, "network", lostNetwork],
    [408, 4506, "no-answer", "no answer"],
    [495, 4507, "permission", rights],
    [0, 4521, "none", "the other side left abruptly"],
    [0, 5000, "none", "removed from the conversation"],
    [0, 5003, "declined", "declined"],
    [0, 5300, "none", "removed from the conversation"],
    [0, 5317, "none", "removed from the conversation"],
    [403, 5828, "permission", teams],
    [403, 5829, "permission", teams],
    [403, 5830, "permission", teams],
    [0, 7000, "none", "ended by an application"],
    [487, 10_003, "none", "accepted by another device of the same person"],
    [487, 10_004, "no-answer", "no answer"],
    [401, 10_009, "permission", rights],
    [487, 10_024, "declined", "declined"],
    [480, 10_037, "no-answer", noDevice],
    [408, 10_057, "no-answer", "the other side did not complete the connection"],
    [480, 10_076, "no-answer", noDevice],
    [480, 10_077, "no-answer", noDevice],
    [480, 10_078, "no-answer", noDevice],
    [410, 301_004, "network", noMedia],
    [410, 301_005, "network", lostMedia],
  ]),
  ...pairs("call-automation-sdk.md", [
    [404, 8522, "not-found", "the service does not find the call or the participant"],
    [405, 8522, "configuration", "a configuration is missing that the request needs"],
  ]),
  ...subCodes("call-automation-sdk.md", [
    [7500, "permission", rights],
    [7501, "permission", rights],
    [7502, "permission", rights],
    [7504, "permission", rights],
    [7505, "permission", rights],
    [7506, "permission", rights],
    [7507, "permission", "the caller id or the called number does not belong to the resource whose identity we use"],
    [7508, "permission", rights],
    [7509, "permission", rights],
    [7510, "permission", rights],
    [7600, "permission", rights],
    [7601, "permission", rights],
    [7602, "permission", rights],
    [7603, "permission", rights],
    [7604, "permission", teams],
    [7605, "permission", teams],
    [7606, "permission", "the resource may not use the AI resource of COMM_COGNITIVE_ENDPOINT"],
    [8500, "request", wrongState],
    [8501, "request", "the call is not established"],
    [8502, "service", internal],
    [8503, "request", wrongState],
    [8504, "network", lostMedia],
    [8505, "request", wrongState],
    [8506, "request", wrongState],
    [8508, "cancelled", "the operation was cancelled"],
    [8509, "none", "nobody spoke"],
    [8510, "none", "nobody spoke"],
    [8511, "service", media],
    [8512, "service", media],
    [8513, "network", lostMedia],
    [8514, "none", "a key was pressed"],
    [8515, "none", "the longest recording was reached"],
    [8516, "limit", limits],
    [8517, "permission", rights],
    [8518, "service", internal],
    [8519, "request", "another operation on the same call is under way"],
    [8520, "request", "the service does not support it"],
    [8521, "service", "the call was forwarded too often"],
    [8522, "not-found", "the service does not find the call or the participant"],
    [8523, "request", "the service takes a parameter of the request for invalid"],
    [8524, "request", wrongState],
    [8525, "request", wrongState],
    [8526, "request", teams],
    [8527, "request", teams],
    [8528, "request", "the call is over"],
    [8529, "limit", "the communication service's monthly limit is reached"],
    [8530, "limit", "the communication service's limit of simultaneous calls is reached"],
    [8531, "none", "all keys were pressed"],
    [8532, "none", "no further key was pressed"],
    [8533, "none", "a key was pressed"],
    [8534, "none", "another key was pressed"],
    [8535, "configuration", "the audio file has a format that the service does not play"],
    [8536, "configuration", "the service could not fetch the audio file"],
    [8537, "network", "the call was inactive for too long"],
    [8538, "declined", "declined"],
    [8539, "busy", "busy"],
    [8540, "busy", "busy"],
    [8541, "no-answer", "nobody is available there"],
    [8542, "cancelled", "the call was cancelled"],
    [8543, "not-found", "the call does not exist any more"],
    [8544, "no-answer", "the service could not reach them"],
    [8545, "none", "a word was recognised"],
    [8546, "service", "the other side sent a request that the service does not understand"],
    [8547, "none", "no word was recognised"],
    [8548, "request", wrongState],
    [8549, "service", internal],
    [8550, "network", noMedia],
    [8551, "request", "the service does not support it"],
    [8552, "permission", teams],
    [8553, "request", "a recording is under way"],
    [8554, "request", wrongState],
    [8555, "request", wrongState],
    [8556, "request", wrongState],
    [8557, "request", "the service does not support the format"],
    [8558, "not-found", "the participant is not in the call"],
    [8559, "request", "a recording is under way"],
    [8560, "permission", teams],
    [8561, "request", teams],
    [8562, "request", "the service does not support it"],
    [8563, "none", "no word was recognised"],
    [8564, "service", "the service does not reach its speech recognition"],
    [8565, "service", "the AI resource of COMM_COGNITIVE_ENDPOINT failed"],
    [8566, "permission", teams],
    [8567, "configuration", "the AI resource of COMM_COGNITIVE_ENDPOINT is not connected to the communication service"],
    [8568, "configuration", "the AI resource of COMM_COGNITIVE_ENDPOINT refuses the communication service's identity"],
    [8569, "none", "a word was recognised"],
    [8570, "service", "the AI resource of COMM_COGNITIVE_ENDPOINT failed"],
    [8571, "request", "a recording is under way"],
    [8572, "service", media],
    [8573, "request", wrongState],
    [8578, "service", media],
    [8579, "cancelled", "the transcription was cancelled"],
    [8580, "service", media],
    [8581, "configuration", "the service cannot reach the address of the stream"],
    [8582, "request", "there was nothing to say"],
    [8583, "request", wrongState],
    [8585, "request", wrongState],
    [8586, "no-answer", "the application that was called did not acknowledge the call"],
    [8587, "no-answer", "the call was not answered in time"],
    [8588, "network", lostMedia],
    [8589, "limit", limits],
    [8594, "service", internal],
    [8603, "network", "the stream of audio failed"],
    [8604, "cancelled", "the stream of audio was cancelled"],
    [8605, "configuration", "the speech model is not supported"],
    [8606, "service", internal],
    [8607, "request", "a transfer is under way"],
    [8608, "service", internal],
    [8609, "service", internal],
    [8610, "no-answer", "the application that was called did not answer"],
    [8613, "limit", limits],
    [9001, "service", internal],
    [9002, "service", "a part of the communication service did not answer in time"],
    [9003, "cancelled", "the operation was cancelled"],
    [9998, "service", internal],
    [9999, "service", "an error that the communication service itself does not know"],
  ]),
  ...pairs("microsoft-graph-docs pull 16376", [
    [200, 7015, "none", "the transfer was completed"],
    [408, 1106, "network", "the acceptance of the call was not acknowledged in time"],
  ]),
  ...codes("call-automation-sdk.md and call-end.md", [
    [400, "request", "the service takes the request for invalid"],
    [401, "permission", rights],
    [403, "permission", "the service or the network forbids the call"],
    [404, "not-found", "the service did not find the number, the resource or the call, and does not say which"],
    [405, "request", "the service does not support it"],
    [406, "request", "the service does not support it"],
    [408, "no-answer", "no answer"],
    [409, "request", "another operation on the same call is under way"],
    [410, "network", lostMedia],
    [412, "request", wrongState],
    [413, "request", "the request is too large"],
    [426, "request", "the service does not support it"],
    [429, "limit", limits],
    [430, "no-answer", noDevice],
    [480, "no-answer", noDevice],
    [481, "service", "the service could not deliver the call"],
    [486, "busy", "busy"],
    [487, "cancelled", "the call was cancelled"],
    [490, "network", lostNetwork],
    [491, "network", lostNetwork],
    [496, "network", lostNetwork],
    [497, "network", lostNetwork],
    [498, "network", lostNetwork],
    [500, "service", internal],
    [501, "service", internal],
    [502, "service", internal],
    [503, "service", internal],
    [504, "service", "a part of the communication service did not answer in time"],
    [600, "busy", "busy"],
    [603, "declined", "declined"],
  ]),
];

/** RFC 3261 section 21; 607 is RFC 8197 and 608 is RFC 8688. What pstn.md says of 560xxx agrees. */
const farEndAnswers: Readonly<Record<number, Meaning>> = {
  0: { cause: "none", about: "ended by the person on the telephone" },
  403: { cause: "permission", about: "the far end's network forbids or rejects the call" },
  404: { cause: "number", about: "the number does not exist" },
  408: { cause: "no-answer", about: "no answer" },
  410: { cause: "number", about: "the number does not exist" },
  480: { cause: "no-answer", about: "no answer" },
  484: { cause: "number", about: "the number is not complete" },
  486: { cause: "busy", about: "busy" },
  487: { cause: "cancelled", about: "ended before anybody answered" },
  488: { cause: "network", about: "the far end's network accepts none of the kinds of audio" },
  600: { cause: "busy", about: "busy" },
  603: { cause: "declined", about: "declined" },
  604: { cause: "number", about: "the number does not exist" },
  606: { cause: "network", about: "the far end's network accepts none of the kinds of audio" },
  607: { cause: "declined", about: "declined as unwanted" },
  608: { cause: "declined", about: "rejected by a filter for unwanted calls" },
};

/** 540xxx: of an inbound call, 560xxx: of an outbound one (pstn.md). The last three digits are the SIP answer, or 000. */
function sipAnswerOf(subCode: number | undefined): number | undefined {
  if (subCode === undefined) return undefined;
  const family = Math.floor(subCode / 1000);
  return family === 540 || family === 560 ? subCode % 1000 : undefined;
}

/** Undefined for a pair that none of the sources lists. */
export function meaningOf(code: number | undefined, subCode: number | undefined): Meaning | undefined {
  const sip = sipAnswerOf(subCode);
  if (sip !== undefined) return atFarEnd(farEndAnswers[sip] ?? ofFarNetwork(sip));
  return listedMeaning(code, subCode === 0 ? undefined : subCode) ?? (isSuccess(code) ? success : undefined);
}

function atFarEnd(meaning: Meaning | undefined): Meaning | undefined {
  return meaning === undefined ? undefined : { ...meaning, isOfFarEnd: true };
}

const success: Meaning = { cause: "none", about: "ended" };

function listedMeaning(code: number | undefined, subCode: number | undefined): Meaning | undefined {
  const rows = serviceCodes.filter((row) => row.subCode === subCode);
  const ofAnyCode = subCode === undefined ? undefined : rows.find((row) => row.code === undefined);
  return (code === undefined ? undefined : rows.find((row) => row.code === code)) ?? ofAnyCode;
}

/** RFC 3261 section 8.1.3.2: an answer that is not known means what the class means. */
function ofFarNetwork(sip: number): Meaning | undefined {
  if (sip < 300 || sip > 699) return undefined;
  return { cause: "service", about: `the far end's network could not connect the call (SIP ${sip})` };
}

function isSuccess(code: number | undefined): boolean {
  return code !== undefined && (code === 0 || (code >= 200 && code < 300));
}
