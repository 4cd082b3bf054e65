import { callRoutes } from '../routing/call-routes.ts';
import type { Route } from '../routing/define-route.ts';
import { TAGS } from '../declarations/route.ts';
import { backfillRoutes } from './backfills.ts';
import { consentRoutes } from './consent.ts';
import { eventRoutes } from './events.ts';
import { fieldValuesRoute } from './fields.ts';
import { healthRoutes } from './health.ts';
import { jobRoutes } from './jobs.ts';
import { keyRoutes, scopeRoutes } from './key.ts';
import { featureRoutes, modelRoutes } from './models.ts';
import { processesRoute } from './operator.ts';
import { quotesRoute } from './quotes.ts';
import { runRoutes } from './runs.ts';
import { screenRoutes } from './screens.ts';
import { sessionRoutes } from './sessions.ts';
import { simulationRoutes } from './simulations.ts';

/** Endpoints with a handler of their own. All others are one call of a service, which proto/ declares. */
const withHandler: Route[] = [
  ...healthRoutes,
  ...scopeRoutes,
  ...keyRoutes,
  ...sessionRoutes,
  ...modelRoutes,
  ...featureRoutes,
  ...runRoutes,
  ...jobRoutes,
  ...backfillRoutes,
  quotesRoute,
  fieldValuesRoute,
  ...screenRoutes,
  ...simulationRoutes,
  ...eventRoutes,
  ...consentRoutes,
  processesRoute,
];

/**
 * Every endpoint, by tag and path, as the reference lists them. They serve in this order too: `{` sorts after every letter, so that
 * `/screens/preview` is not taken for a screen.
 */
export const routes: Route[] = [
  ...withHandler,
  ...callRoutes(new Set(withHandler.map(({ operationId }) => operationId))),
].toSorted(
  (a, b) => TAGS.indexOf(a.tag) - TAGS.indexOf(b.tag) || (a.path === b.path ? 0 : a.path < b.path ? -1 : 1),
);
