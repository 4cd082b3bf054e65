import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** What a page may use besides its style sheet. */
interface Allowed {
  scriptSrc?: string[];
  imgSrc?: string[];
  connectSrc?: string[];
  formAction?: string[];
  requireTrustedTypesFor?: string[];
}

/** What this gateway serves itself. */
export const OWN = ["'self'"];

/**
 * The content policy of a page. A page has its own style sheet and what is allowed to it: nothing else is loaded, run or sent, and no
 * other page can frame it.
 */
export function pagePolicy(allowed: Allowed = {}): RequestHandler {
  return helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: OWN,
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      ...allowed,
    },
  });
}
