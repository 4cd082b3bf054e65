import { NODATA } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** All addresses of a name at this moment. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>;

const LOOKUP = { timeout: 2_000, tries: 2 };
/** No server may say otherwise (RFC 6761). */
const LOCALHOST = /(^|\.)localhost$/i;

/**
 * Asks DNS itself, never the system's resolver: that one answers on the few threads of this process, on which names that hang
 * would hold up all others. The hosts file is therefore not read. What is returned throws if a name has no address.
 * @param servers `address:port` of those to ask; the system's if absent
 */
export function dnsResolve(servers?: string[]): Resolve {
  return async (name, signal) => {
    if (LOCALHOST.test(name)) return ['127.0.0.1', '::1'];
    const resolver = new Resolver(LOOKUP);
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length === 0) throw answers.find(isRejected)?.reason ?? withoutAddress(name);
      return addresses;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}

const isRejected = (answer: PromiseSettledResult<unknown>) => answer.status === 'rejected';

/** A name that is an alias of one without addresses has an answer in DNS, which holds none. */
function withoutAddress(name: string): Error {
  return Object.assign(new Error(`${name} has no address`), { code: NODATA });
}
