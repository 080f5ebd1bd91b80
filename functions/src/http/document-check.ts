/** Turns the problems that the catalog's check finds in a document into the answer to the request that sent it. */
import type { Checked } from "@voice/shared/catalog/session-documents";
import { SchemaError } from "./validation.ts";

export function requireValid<Value>(checked: Checked<Value>): Value {
  if (checked.ok) return checked.value;
  throw new SchemaError(
    checked.problems.map(({ field, message, code }) => ({
      loc: ["body", ...field.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step))],
      msg: message,
      type: code,
    })),
  );
}
