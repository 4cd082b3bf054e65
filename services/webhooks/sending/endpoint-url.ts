import { isIP } from 'node:net';

/** Ports of endpoints: single ones, and ranges such as `1024-65535`. */
export type PortRanges = readonly { from: number; to: number }[];

/** @throws Error naming the first that is no port or range */
export function portRangesIn(text: string): PortRanges {
  return text.split(',').map((part) => {
    const [, first, last = first] = /^\s*(\d{1,5})(?:-(\d{1,5}))?\s*$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (!(from >= 1 && from <= to && to <= 65_535)) throw new Error(`${part.trim()} is no port and no range`);
    return { from, to };
  });
}

/** The longest URL of an endpoint, as it is sent: `é` is six characters then. */
const MAX_URL_LENGTH = 2_000;
const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

/** What is wrong with the URL of an endpoint, in words that follow its name; undefined if nothing is. */
export function urlMistake(text: string, ports: PortRanges): string | undefined {
  const url = URL.parse(text);
  // Applications say 2001:db8::1 as in a browser; the parser has turned 0x7f.1 and the like into plain addresses.
  if (!url || !(url.protocol in DEFAULT_PORTS)) return 'must be an absolute URL with http or https';
  if (url.href.length > MAX_URL_LENGTH)
    return `must have at most ${MAX_URL_LENGTH} characters once it is percent-encoded`;
  if (url.username !== '' || url.password !== '') return 'must not contain a user or password';
  if (url.hash !== '') return 'must not contain a fragment';
  if (url.hostname.endsWith('.')) return 'must name its host without a dot at the end';
  const port = portOf(url);
  if (ports.some(({ from, to }) => port >= from && port <= to)) return undefined;
  return `must have one of these ports: ${ports.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')}`;
}

function portOf(url: URL): number {
  return url.port === '' ? DEFAULT_PORTS[url.protocol]! : Number(url.port);
}

/** The host as an address, if it is one; otherwise it is a name. */
export function addressIn({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}
