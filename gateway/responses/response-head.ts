import type { Express, Response } from 'express';
import helmet from 'helmet';
import type { HeaderPairs, RequestContext } from '../request/request-context.ts';

/**
 * Headers of a JSON API: a browser must not run, frame, sniff or keep any response. Headers that only matter to pages
 * are left out. The reference page sets its own content policy.
 */
const SECURITY_HEADERS = pairsBy(
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  }),
);

/** What a stage sets that is the same for every request. */
function pairsBy(stage: ReturnType<typeof helmet>): HeaderPairs {
  const pairs: HeaderPairs = [];
  const setHeader = (name: string, value: string) => pairs.push(name, value);
  stage({} as never, { setHeader, removeHeader: () => {} } as never, () => {});
  return pairs;
}

/** What the answer to any request says: its id, security headers and, to a key, how much of its limit is left. */
function headOf({ requestId, limitHeaders }: RequestContext): HeaderPairs {
  return ['X-Request-ID', requestId, ...SECURITY_HEADERS, ...(limitHeaders ?? [])];
}

/**
 * Gives every response of the application the headers that all have, at the moment when it is sent. They are written together with
 * headers given as pairs, which costs half as much as setting each. A header that a response has set itself stays.
 */
export function completeHeads({ response }: Express): void {
  type Write = (this: Response, status: number, ...rest: unknown[]) => Response;
  const write = Reflect.get(response as Response, 'writeHead') as Write;
  response.writeHead = function (this: Response, status: number, ...rest: unknown[]) {
    const { context } = this.req as { context?: RequestContext };
    const head = context ? headOf(context) : [];
    const [given] = rest;
    if (Array.isArray(given)) return write.call(this, status, [...head, ...(given as HeaderPairs)]);
    for (let i = 0; i < head.length; i += 2) {
      const name = head[i] as string;
      if (!this.hasHeader(name)) this.setHeader(name, head[i + 1]!);
    }
    return write.call(this, status, ...rest);
  };
}
