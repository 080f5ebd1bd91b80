/** The WebSockets as an AsyncAPI 3.0 document, derived from the message schemas that the streaming host uses. */
import { apiPrefix, apiVersion } from "@voice/shared/contracts/http/endpoint";
import { browserInput } from "@voice/shared/contracts/stream/browser-input";
import { serverPayloads } from "@voice/shared/contracts/stream/server-message";
import { toolTrialInput, toolTrialPayloads } from "@voice/shared/contracts/stream/tool-trial";
import { z } from "zod";
import { socketChannels, type SocketChannel } from "./socket-channels.ts";
import { createSchemaCollector, type JsonSchema } from "./json-schemas.ts";

/** A test holds it against every code that a socket is closed with. */
const closing =
  "What the server closes a socket with: 1000 when the conversation has ended, 1001 when its host restarts (connect again with " +
  "the same session id), 1002, 1003 and 1007 for what is no proper frame, 1008 for messages that come too fast, 1009 for one " +
  "that is too large, 1011 after a failure of ours, 1013 at capacity and for a client that does not read, 4401 when the access " +
  "token has expired, 4403 when a page of another origin has opened it, 4408 when the session could not be opened in time, and 4409 when a newer socket has taken the session.";

/** The messages never change while the process runs. */
let described: JsonSchema | undefined;

function describeMessages(): JsonSchema {
  const schemas = createSchemaCollector();
  const messages: Record<string, JsonSchema> = { ...rawMessages };
  for (const [type, payload] of Object.entries({ ...serverPayloads, ...toolTrialPayloads })) {
    messages[type] = {
      name: type,
      contentType: "application/json",
      payload: schemas.output(
        z.object({
          type: z.literal(type),
          session_id: z.string(),
          timestamp: z.iso.datetime(),
          payload,
        }),
      ),
    };
  }
  for (const option of [...browserInput.options, ...toolTrialInput.options]) {
    const type = option.shape.type.value;
    messages[clientMessage(type)] = {
      name: clientMessage(type),
      contentType: "application/json",
      description: [option.description, "Fields stand beside `type`, or inside `payload`."].join(" ").trim(),
      payload: schemas.input(option),
    };
  }
  return { messages, schemas: schemas.components };
}

export function createAsyncApiDocument(streamingUrl: string): JsonSchema {
  const url = new URL(streamingUrl);
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Voice agent service: WebSockets",
      version: apiVersion,
      description: `Text frames are JSON. ${closing} The HTTP API is described at /docs/openapi.json.`,
      license: { name: "MIT" },
    },
    defaultContentType: "application/json",
    servers: {
      streamingHost: {
        host: url.host,
        protocol: url.protocol.replace(":", ""),
        ...(url.pathname === "/" ? {} : { pathname: url.pathname }),
        description: "The streaming host",
      },
    },
    channels: Object.fromEntries(socketChannels.map((channel) => [channel.name, channelObject(channel)])),
    operations: Object.fromEntries(socketChannels.flatMap(operations)),
    components: (described ??= describeMessages()),
  };
}

/** The AsyncAPI name of a message that a client sends; the servers' keep their own. */
function clientMessage(type: string): string {
  return `client_${type}`;
}

function channelObject(channel: SocketChannel): JsonSchema {
  const names = [...new Set([...channel.clientSends, ...channel.serverSends])];
  const parameters = Object.entries(channel.pathParameters ?? {});
  return {
    address: channel.outsideApi === true ? channel.path : apiPrefix + channel.path,
    summary: channel.summary,
    description: channel.description,
    ...(parameters.length === 0
      ? {}
      : { parameters: Object.fromEntries(parameters.map(([name, description]) => [name, { description }])) }),
    messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
    bindings: {
      ws: {
        bindingVersion: "0.1.0",
        method: "GET",
        query: {
          type: "object",
          properties: Object.fromEntries(
            Object.entries(channel.query).map(([name, description]) => [name, { type: "string", description }]),
          ),
        },
      },
    },
  };
}

function operations(channel: SocketChannel): [string, JsonSchema][] {
  const operation = (action: "send" | "receive", names: readonly string[]): [string, JsonSchema][] =>
    names.length === 0
      ? []
      : [
          [
            `${channel.name}_${action}`,
            {
              action,
              channel: { $ref: `#/channels/${channel.name}` },
              messages: names.map((name) => ({ $ref: `#/channels/${channel.name}/messages/${name}` })),
            },
          ],
        ];
  return [...operation("receive", channel.clientSends), ...operation("send", channel.serverSends)];
}

const binaryAudio = {
  type: "string",
  contentEncoding: "binary",
  description: "PCM, 16-bit little-endian, mono; on a media session's stream, in the format that it was made with.",
};

/** Frames whose format another party owns. */
const rawMessages: Readonly<Record<string, JsonSchema>> = {
  binary_audio: { name: "binary_audio", contentType: "application/octet-stream", payload: binaryAudio },
  comm_frame: {
    name: "comm_frame",
    contentType: "application/json",
    description: "The communication service's frames, in either letter case.",
    payload: {
      type: "object",
      properties: {
        kind: { type: "string", enum: ["AudioMetadata", "AudioData", "DtmfData", "StopAudio", "TranscriptionData"] },
        audioMetadata: {
          type: "object",
          properties: {
            encoding: { type: "string" },
            sampleRate: { type: "integer", enum: [8000, 16_000, 24_000, 48_000] },
            channels: { type: "integer", enum: [1, 2] },
          },
          required: ["sampleRate"],
        },
        audioData: {
          type: "object",
          properties: {
            timestamp: { type: "string", format: "date-time" },
            participantRawID: { type: "string" },
            data: { type: "string", contentEncoding: "base64" },
            silent: { type: "boolean" },
          },
        },
        dtmfData: {
          type: "object",
          properties: {
            data: { type: "string", description: "A key (0 to 9, *, #, A to D), several, or one's name." },
          },
          required: ["data"],
        },
        transcriptionData: { type: "object", description: "What the service has recognised by itself." },
      },
      required: ["kind"],
    },
  },
  comm_audio: {
    name: "comm_audio",
    contentType: "application/json",
    description: "Audio for the caller, or the order to drop what is queued.",
    payload: {
      type: "object",
      properties: {
        type: { type: "string", const: "audio", description: "With audio, for all but the communication service." },
        Kind: { type: "string", enum: ["AudioData", "StopAudio"] },
        AudioData: {
          type: ["object", "null"],
          properties: { Data: { type: "string", contentEncoding: "base64" } },
        },
        StopAudio: { type: ["object", "null"] },
      },
      required: ["Kind"],
    },
  },
  twilio_message: {
    name: "twilio_message",
    contentType: "application/json",
    description: "A message of Twilio's media streams: `connected`, `start`, `media`, `dtmf`, `mark`, `stop`, `clear`.",
    payload: {
      type: "object",
      properties: { event: { type: "string" }, streamSid: { type: "string" }, media: { type: "object" } },
      required: ["event"],
    },
  },
  hook_message: {
    name: "hook_message",
    contentType: "application/json",
    description: "The telephony platform's hook protocol, version 2.",
    payload: {
      type: "object",
      properties: {
        version: { type: "string", const: "2" },
        type: { type: "string" },
        seq: { type: "integer" },
        id: { type: "string", format: "uuid" },
        parameters: { type: "object" },
      },
      required: ["version", "type", "seq", "id", "parameters"],
    },
  },
  mulaw_audio: {
    name: "mulaw_audio",
    contentType: "application/octet-stream",
    payload: { type: "string", contentEncoding: "binary", description: "Mu-law, 8 kHz." },
  },
};
