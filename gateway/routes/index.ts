import { backfillRoutes } from './backfills.ts';
import { consentRoutes } from './consent.ts';
import { eventRoutes } from './events.ts';
import { featureRoutes, modelRoutes } from './models.ts';
import { fieldRoutes } from './fields.ts';
import { healthRoutes } from './health.ts';
import { jobEventRoutes, jobRoutes } from './jobs.ts';
import { keyRoutes, scopeRoutes } from './key.ts';
import { marketDataRoutes } from './market-data.ts';
import { operatorRoutes } from './operator.ts';
import { runRoutes } from './runs.ts';
import { screenRoutes } from './screens.ts';
import { sessionRoutes } from './sessions.ts';
import { simulationRoutes } from './simulations.ts';
import { stocksAndBarsRoutes } from './stocks-and-bars.ts';
import { adminUsageRoutes, requestUsageRoutes, screenUsageRoutes, usageRoutes } from './usage.ts';
import { watchlistRoutes } from './watchlists.ts';
import { webhookRoutes } from './webhooks.ts';

/** Every endpoint, in the order of the reference. */
export const routes = [
  ...healthRoutes,
  ...scopeRoutes,
  ...keyRoutes,
  ...sessionRoutes,
  ...modelRoutes,
  ...featureRoutes,
  ...runRoutes,
  ...jobRoutes,
  ...jobEventRoutes,
  ...backfillRoutes,
  ...marketDataRoutes,
  ...stocksAndBarsRoutes,
  ...fieldRoutes,
  ...screenRoutes,
  ...simulationRoutes,
  ...watchlistRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...usageRoutes,
  ...requestUsageRoutes,
  ...screenUsageRoutes,
  ...adminUsageRoutes,
  ...consentRoutes,
  ...operatorRoutes,
];
