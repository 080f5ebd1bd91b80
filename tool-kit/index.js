/**
 * The service validates and runs what a module exports; these functions only supply the types and mark the exports that
 * are meant for the service. They are JavaScript with separate types because Node does not run TypeScript from an
 * installed package.
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
