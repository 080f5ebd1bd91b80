/**
 * What a Node process needs of our environment to start, and to start quickly; nothing that a setting could be read from. In a test it has
 * the identity at which nobody answers (`vitest.config.ts`), instead of that of the machine.
 */
export function nodeEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE, IDENTITY_ENDPOINT, IDENTITY_HEADER } = process.env;
  return { PATH, NODE_COMPILE_CACHE, IDENTITY_ENDPOINT, IDENTITY_HEADER };
}
