/** What a Node process needs of this one's environment, for tests that decide about all the rest of it. */
export function nodeEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE, NODE_EXTRA_CA_CERTS } = process.env;
  return { PATH, NODE_COMPILE_CACHE, NODE_EXTRA_CA_CERTS };
}
