import helmet from 'helmet';

/**
 * Headers of a JSON API: nothing in an answer may be run, framed, sniffed or kept. Those that only speak to pages
 * are left out; the reference page brings its own content policy.
 */
export const securityHeaders = helmet({
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
});
