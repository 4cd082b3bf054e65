import { backfillRoutes } from './backfills.ts';
import { consentRoutes } from './consent.ts';
import { featureRoutes } from './models.ts';
import { healthRoutes } from './health.ts';
import { jobEventRoutes } from './jobs.ts';
import { jobRoutes } from './jobs.ts';
import { keyRoutes } from './key.ts';
import { marketDataRoutes } from './market-data.ts';
import { modelRoutes } from './models.ts';
import { operatorRoutes } from './operator.ts';
import { runRoutes } from './runs.ts';
import { scopeRoutes } from './key.ts';
import { adminUsageRoutes, usageRoutes } from './usage.ts';

/** Every endpoint, in the order of the reference. */
export const routes = [
  ...healthRoutes,
  ...scopeRoutes,
  ...keyRoutes,
  ...modelRoutes,
  ...featureRoutes,
  ...runRoutes,
  ...jobRoutes,
  ...jobEventRoutes,
  ...backfillRoutes,
  ...marketDataRoutes,
  ...usageRoutes,
  ...adminUsageRoutes,
  ...consentRoutes,
  ...operatorRoutes,
];
