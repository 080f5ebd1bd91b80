/**
 * The service checks what a module exports and runs it; these functions only give the types and mark what is meant for it.
 * They are JavaScript with their types beside them because Node runs no TypeScript out of an installed package.
 */

export function defineTool(definition) {
  return { ...definition, kind: "tool" };
}

export function defineCustomers(customers) {
  return { ...customers, kind: "customers" };
}

export function failed(error, message, result = {}) {
  return { ...result, success: false, error, message };
}
