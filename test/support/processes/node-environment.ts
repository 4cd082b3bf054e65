/** The variables that a Node process needs from this environment, for tests that set all others themselves. */
export function nodeEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE, NODE_EXTRA_CA_CERTS } = process.env;
  return { PATH, NODE_COMPILE_CACHE, NODE_EXTRA_CA_CERTS };
}
