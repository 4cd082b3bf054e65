import { Resolver } from 'node:dns/promises';

/** All addresses of a name at this moment. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>;

const LOOKUP = { timeout: 2_000, tries: 2 };
/** No server may say otherwise (RFC 6761). */
const LOCALHOST = /(^|\.)localhost$/i;

/**
 * Asks DNS itself, never the system's resolver: that one answers on the few threads of this process, on which names that hang
 * would hold up all others. The hosts file is therefore not read.
 * @throws Error if the name has no address
 */
export const resolveByDns: Resolve = async (name, signal) => {
  if (LOCALHOST.test(name)) return ['127.0.0.1', '::1'];
  const resolver = new Resolver(LOOKUP);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw (answers[0] as PromiseRejectedResult).reason;
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};
