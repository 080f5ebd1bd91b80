/** Types and functions for writing modules in TOOLS_DIR. The service's documentation (docs/tools.md) has examples. */
import type { z } from "zod";

export type CustomerDocument = Readonly<Record<string, unknown>>;

/** The customer that a conversation's tools act for. */
export interface Customer {
  readonly id: string;
  /** The document as last read or written. */
  readonly document: CustomerDocument;
  /**
   * Stores a change and resolves with the new document. `change` may be called again if somebody else changed the
   * document first.
   */
  update(change: (document: CustomerDocument) => CustomerDocument): Promise<CustomerDocument>;
}

/**
 * Personal data does not belong in a log. Of text values, only single words (states, codes) are written; others are
 * left out.
 */
export type LogAttributes = Readonly<Record<string, number | boolean | string>>;

/** Writes log lines with the tool's name and the conversation's id. Each message should be a constant sentence. */
export interface ToolLog {
  info(message: string, attributes?: LogAttributes): void;
  warn(message: string, attributes?: LogAttributes): void;
}

/** Counts attempts to prove who the caller is. The counts outlive a conversation by 24 hours, so hanging up does not help. */
export interface Attempts {
  /**
   * Call it before an attempt is checked. Resolves with the attempt's number, from 1 on. Rejects while attempts cannot be
   * counted; the proof must then be refused. `proof` names what is guessed: lowercase letters, digits and `_`.
   */
  count(proof: string): Promise<number>;
  /** Call it after an attempt that was right. */
  clear(proof: string): Promise<void>;
}

export interface ToolContext {
  readonly sessionId: string;
  /** The agent that calls the tool. */
  readonly agent: string;
  /** Values that the tools and handoffs of this conversation have stored. */
  readonly memory: Readonly<Record<string, unknown>>;
  /** Undefined if the customer is not known. */
  readonly customer: Customer | undefined;
  /**
   * Aborted when the tool takes too long and, for a tool without side effects, when the caller interrupts. Pass it on,
   * for example to `fetch`.
   */
  readonly signal: AbortSignal;
  /** The language that the agent speaks, such as `de-DE`; undefined for English. */
  readonly language: string | undefined;
  /** The caller's time zone, such as `Europe/Berlin`; `UTC` if it is not known. */
  readonly timeZone: string;
  readonly attempts: Attempts;
  /** Whether the service runs in development, where a tool may show what a caller would be sent. */
  readonly isDevelopment: boolean;
  readonly log: ToolLog;
  /** The conversation's current time, in milliseconds since 1970. */
  now(): number;
  /**
   * Stores values in the conversation's memory, for prompts and for other tools, as JSON; throws if one cannot be, or if
   * the memory would have more than 64,000 characters. They are stored when the tool has finished.
   */
  remember(values: Readonly<Record<string, unknown>>): void;
}

/** What the model receives instead of a result; see `failed`. */
export interface ToolFailure {
  readonly success: false;
  readonly error: string;
  readonly message: string;
}

export interface ToolDefinition<Parameters extends z.ZodObject, Result extends z.ZodObject = z.ZodObject> {
  /** The name by which agents list the tool: lowercase letters, digits and `_`. */
  readonly name: string;
  /** Written for the model: what it does and when to use it. */
  readonly description: string;
  /**
   * A zod object. The model receives it as JSON Schema, and arguments are validated against it before `run` is called.
   */
  readonly parameters: Parameters;
  /** A zod object. If present, the model receives exactly these fields and no others. */
  readonly result?: Result;
  /** The tool changes something: an interruption does not cancel it, and such calls run one after the other. */
  readonly sideEffects?: boolean;
  /**
   * The tool runs only when the caller has proved to be the conversation's customer; otherwise the caller is told that this has to be
   * done first. A tool that checks a proof remembers `identity_verified: true` and `verified_customer: customer?.id`.
   */
  readonly verifiedCaller?: boolean;
  /** From 100 to 30,000; 8,000 if absent. After this time the model is told that the tool took too long. */
  readonly timeoutMs?: number;
  /** Said when the tool takes longer than a listener would accept in silence. */
  readonly slowNotice?: string;
  /**
   * Returning `failed(…)`, or throwing it, says that nothing was done. If it throws anything else, the model is told
   * without the error's own text: that the tool failed or, with `sideEffects`, that nobody knows whether it was done.
   */
  run(
    args: z.output<Parameters>,
    context: ToolContext,
  ): z.input<Result> | ToolFailure | Promise<z.input<Result> | ToolFailure>;
}

export interface DefinedTool extends ToolDefinition<z.ZodObject> {
  readonly kind: "tool";
}

/** Defines a tool that agents may list by its name. Export the returned value. */
export function defineTool<Parameters extends z.ZodObject, Result extends z.ZodObject = z.ZodObject>(
  definition: ToolDefinition<Parameters, Result>,
): DefinedTool;

/** The result of a tool that failed. `message` may be spoken to the caller as it is. */
export function failed(error: string, message: string, result?: Readonly<Record<string, unknown>>): ToolFailure;

/** All that is known about the person who is talking. */
export interface CustomerQuery {
  readonly sessionId: string;
  /** The id that the client sent (`profile_id`). Any client can send any id, so check it against `subject`. */
  readonly customerId: string | undefined;
  /** The caller's number, with `+`, as the telephone network reports it. It can be forged. */
  readonly phoneNumber: string | undefined;
  /** The subject of the verified token; undefined if nobody has signed in. */
  readonly subject: string | undefined;
  readonly signal: AbortSignal;
}

export interface FoundCustomer {
  readonly id: string;
  /** Passed to tools and to the templates of HTTP tools. `full_name` is a hint for the recogniser. */
  readonly document: CustomerDocument;
}

/** Your customers, which replace those of the demonstration. */
export interface Customers {
  /** Returns undefined if no customer matches. */
  find(query: CustomerQuery): FoundCustomer | undefined | Promise<FoundCustomer | undefined>;
  /**
   * Reads the document, calls `change` with it, stores the result and returns it. Without `update`, tools cannot change
   * anything.
   */
  update?(
    id: string,
    change: (document: CustomerDocument) => CustomerDocument,
    signal: AbortSignal,
  ): CustomerDocument | Promise<CustomerDocument>;
}

export interface DefinedCustomers extends Customers {
  readonly kind: "customers";
}

/** Defines the source of customers. Export the returned value from one module. */
export function defineCustomers(customers: Customers): DefinedCustomers;
