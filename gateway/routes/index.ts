import { adminUsageRoutes } from './admin-usage.ts';
import { consentRoutes } from './consent.ts';
import { healthRoutes } from './health.ts';
import { jobEventRoutes } from './job-events.ts';
import { jobRoutes } from './jobs.ts';
import { marketDataRoutes } from './market-data.ts';
import { modelRoutes } from './models.ts';
import { runRoutes } from './runs.ts';
import { scopeRoutes } from './scopes.ts';
import { usageEndUserRoutes } from './usage-end-users.ts';
import { usageEventRoutes } from './usage-events.ts';
import { usageSummaryRoutes } from './usage-summary.ts';

/** Every endpoint, in the order of the reference. */
export const routes = [
  ...healthRoutes,
  ...scopeRoutes,
  ...modelRoutes,
  ...runRoutes,
  ...jobRoutes,
  ...jobEventRoutes,
  ...marketDataRoutes,
  ...usageEventRoutes,
  ...usageSummaryRoutes,
  ...usageEndUserRoutes,
  ...adminUsageRoutes,
  ...consentRoutes,
];
