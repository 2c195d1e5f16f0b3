/**
 * Where the process's runtime hangs on the global object (lib/runtime.ts). This file imports nothing: Next.js bundles it for a
 * runtime without Node's modules too.
 */
export const RUNTIME_KEY = Symbol.for('terse.runtime')
