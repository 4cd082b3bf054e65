import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/**
 * What is not the public internet, by the registries of special-purpose addresses of IANA. 168.63.129.16 serves the metadata of
 * Azure's machines from a public range.
 */
const REFUSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Within the only range from which public IPv6 addresses come. */
const PUBLIC_V6 = ['2000::/3'];
const REFUSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
/** Addresses that stand for an IPv4 address in their last 32 bits: mapped ones, and those of NAT64. */
const STANDING_FOR_V4 = ['::ffff:0:0/96', '64:ff9b::/96'];

const [refusedV4, publicV6, refusedV6, standingForV4] = [
  REFUSED_V4,
  PUBLIC_V6,
  REFUSED_V6,
  STANDING_FOR_V4,
].map(rangesOf) as [BlockList, BlockList, BlockList, BlockList];

/** Decides which addresses requests may go to, so that nobody reaches the operator's own network through them. */
export class AddressGuard {
  readonly #allowed: BlockList;

  /** @param allowedRanges CIDR ranges that are allowed although they are not public */
  constructor(allowedRanges: readonly string[] = []) {
    this.#allowed = rangesOf(allowedRanges);
  }

  allows(address: string): boolean {
    if (isIPv4(address)) return isIn(this.#allowed, address) || !isIn(refusedV4, address);
    if (!isIPv6(address) || address.includes('%')) return false;
    if (isIn(this.#allowed, address)) return true;
    if (isIn(standingForV4, address)) return this.allows(lastV4(address));
    return isIn(publicV6, address) && !isIn(refusedV6, address);
  }
}

/** A list of ranges in the form of CIDR. @throws Error naming the first that is none */
export function rangesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix = ''] = range.split('/');
    const version = isIP(address);
    const isPrefix = /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
    if (version === 0 || !isPrefix) throw new Error(`${range} is no range such as 10.0.0.0/8 or fd00::/8`);
    list.addSubnet(address, Number(prefix), version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** Node matches a mapped IPv4 address with rules of IPv4 by itself, and others by their own family. */
function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

function lastV4(address: string): string {
  // The parser of URLs writes every address in the same form: groups of hex digits, without dots.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [high = '0', low = '0'] = `0:0:${groups.at(-1) ?? ''}`.split(':').filter(Boolean).slice(-2);
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => Math.floor(bits / 2 ** shift) % 256).join('.');
}
