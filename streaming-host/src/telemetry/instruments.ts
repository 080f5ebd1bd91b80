/** The part of OpenTelemetry that is used here. */
export interface Instruments {
  histogram(
    name: string,
    options: { readonly unit: string; readonly description: string },
  ): { record(value: number, attributes: Readonly<Record<string, string>>): void };
  span(span: {
    readonly name: string;
    readonly startMs: number;
    readonly endMs: number;
    readonly attributes: Readonly<Record<string, string | number>>;
    readonly events: readonly { readonly name: string; readonly atMs: number }[];
  }): void;
}
