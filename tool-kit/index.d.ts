/** What modules in TOOLS_DIR are written with. The service's documentation (docs/tools.md) has examples. */
import type { z } from "zod";

export type CustomerDocument = Readonly<Record<string, unknown>>;

/** Whom a conversation's tools act for. */
export interface Customer {
  readonly id: string;
  /** As it was last read or written. */
  readonly document: CustomerDocument;
  /** Keeps a change and gives the document as it is then. `change` may be asked again when somebody else was faster. */
  update(change: (document: CustomerDocument) => CustomerDocument): Promise<CustomerDocument>;
}

/** Nothing about people belongs into a log: of texts only single words (states, codes) are written, the rest is left out. */
export type LogAttributes = Readonly<Record<string, number | boolean | string>>;

/** Lines that carry the tool's name and the conversation's id. Messages are sentences that are always the same. */
export interface ToolLog {
  info(message: string, attributes?: LogAttributes): void;
  warn(message: string, attributes?: LogAttributes): void;
}

export interface ToolContext {
  readonly sessionId: string;
  /** The agent that calls the tool. */
  readonly agent: string;
  /** What tools and handoffs of this conversation have found out. */
  readonly memory: Readonly<Record<string, unknown>>;
  /** Undefined where nobody is known. */
  readonly customer: Customer | undefined;
  /** Aborted when the tool takes too long and, without side effects, when the caller interrupts. Pass it on: to `fetch`, for instance. */
  readonly signal: AbortSignal;
  readonly log: ToolLog;
  /** The time of the conversation, in milliseconds since 1970. */
  now(): number;
  /** Keeps values in the conversation's memory, for prompts and for other tools. They are kept when the tool is done. */
  remember(values: Readonly<Record<string, unknown>>): void;
}

/** What the model is told instead of a result; see `failed`. */
export interface ToolFailure {
  readonly success: false;
  readonly error: string;
  readonly message: string;
}

export interface ToolDefinition<Parameters extends z.ZodObject, Result extends z.ZodObject = z.ZodObject> {
  /** By which agents list it, in small letters, digits and `_`. */
  readonly name: string;
  /** Written for the model: what it does and when to use it. */
  readonly description: string;
  /** A zod object. The model is told it as JSON Schema, and arguments are checked by it before `run` sees them. */
  readonly parameters: Parameters;
  /** A zod object. With it, what the model is told has these fields and no others. */
  readonly result?: Result;
  /** It leaves something behind: an interruption does not call it off, and such calls come one after the other. */
  readonly sideEffects?: boolean;
  /** From 100 to 30,000; 8,000 where absent. Then the model is told that it took too long. */
  readonly timeoutMs?: number;
  /** Said when the tool takes longer than a listener would accept in silence. */
  readonly slowNotice?: string;
  /** What it throws is told to the model as a failure, without the error's own words. */
  run(
    args: z.output<Parameters>,
    context: ToolContext,
  ): z.input<Result> | ToolFailure | Promise<z.input<Result> | ToolFailure>;
}

export interface DefinedTool extends ToolDefinition<z.ZodObject> {
  readonly kind: "tool";
}

/** A tool that agents may list by its name. Export what this gives. */
export function defineTool<Parameters extends z.ZodObject, Result extends z.ZodObject = z.ZodObject>(
  definition: ToolDefinition<Parameters, Result>,
): DefinedTool;

/** The end of a tool that could not do it. `message` may be said to the caller as it is. */
export function failed(error: string, message: string, result?: Readonly<Record<string, unknown>>): ToolFailure;

/** All that is known of who is talking. */
export interface CustomerQuery {
  readonly sessionId: string;
  /** What the client has named (`profile_id`). Anybody can name anything: check it against `subject`. */
  readonly customerId: string | undefined;
  /** The caller's number as the telephone network gives it, which can be forged; with `+`. */
  readonly phoneNumber: string | undefined;
  /** Whose token was checked; undefined where nobody has signed in. */
  readonly subject: string | undefined;
  readonly signal: AbortSignal;
}

export interface FoundCustomer {
  readonly id: string;
  /** Given to tools and to the templates of HTTP tools. `full_name` is a hint for the recogniser. */
  readonly document: CustomerDocument;
}

/** Your customers, in place of the demonstration's. */
export interface Customers {
  /** Undefined where nobody is known by this. */
  find(query: CustomerQuery): FoundCustomer | undefined | Promise<FoundCustomer | undefined>;
  /** Reads the document, asks `change`, writes what it gives and gives it back. Without it, tools can change nothing. */
  update?(
    id: string,
    change: (document: CustomerDocument) => CustomerDocument,
    signal: AbortSignal,
  ): CustomerDocument | Promise<CustomerDocument>;
}

export interface DefinedCustomers extends Customers {
  readonly kind: "customers";
}

/** Export what this gives from one module. */
export function defineCustomers(customers: Customers): DefinedCustomers;
