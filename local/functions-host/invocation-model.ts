/** The part of the worker's protocol that an HTTP invocation uses; shapes as `@azure/functions` reads and writes them. */

export interface FunctionMetadata {
  readonly name: string;
  readonly bindings: Readonly<Record<string, { readonly type: string; readonly direction: string }>>;
}

export interface RpcHttpRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
  readonly body?: { readonly bytes: Uint8Array };
}

export interface RpcHttpResponse {
  readonly statusCode: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly RpcCookie[];
  readonly body?: { readonly bytes?: Uint8Array; readonly string?: string } | null;
}

export interface RpcCookie {
  readonly name: string;
  readonly value: string;
  readonly domain?: { readonly value: string };
  readonly path?: { readonly value: string };
  readonly maxAge?: { readonly value: number };
  readonly secure?: { readonly value: boolean };
  readonly httpOnly?: { readonly value: boolean };
  readonly sameSite?: string | number;
}

export interface CoreInvocation {
  readonly invocationId: string;
  readonly metadata: FunctionMetadata;
  readonly request: {
    readonly inputData: readonly { readonly name: string; readonly data: { readonly http: RpcHttpRequest } }[];
    readonly triggerMetadata: Readonly<Record<string, { readonly string: string }>>;
    readonly traceContext: { readonly traceParent: string; readonly traceState: string };
  };
  log(level: string, category: string, message: string): void;
  state?: string;
}

export interface InvocationModel {
  getArguments(): Promise<{ context: { readonly invocationId: string }; inputs: unknown[] }>;
  invokeFunction(context: unknown, inputs: unknown[], callback: (...args: unknown[]) => unknown): Promise<unknown>;
  getResponse(
    context: unknown,
    result: unknown,
  ): Promise<{ readonly returnValue?: { readonly http?: RpcHttpResponse } | null }>;
}

export interface ProgrammingModel {
  readonly name: string;
  readonly version: string;
  getInvocationModel(invocation: CoreInvocation): InvocationModel;
  getCapabilities(capabilities: Record<string, string>): Promise<Record<string, string>>;
}
