/** What a Node process needs of our environment to start, and to start quickly; nothing that a setting could be read from. */
export function nodeEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] };
}
