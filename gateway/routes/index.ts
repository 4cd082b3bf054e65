import { adminUsageRoutes } from './admin-usage.ts';
import { consentRoutes } from './consent.ts';
import { brokerActivityRoutes } from './data-broker-activity.ts';
import { brokersRoutes } from './data-brokers.ts';
import { compareRoutes } from './data-compare.ts';
import { flowRoutes } from './data-flows.ts';
import { negoRoutes } from './data-nego.ts';
import { overviewRoutes } from './data-overview.ts';
import { turningPointRoutes } from './data-turning-points.ts';
import { dataRoutes } from './data.ts';
import { healthRoutes } from './health.ts';
import { jobEventRoutes } from './job-events.ts';
import { jobRoutes } from './jobs.ts';
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
  ...dataRoutes,
  ...compareRoutes,
  ...overviewRoutes,
  ...turningPointRoutes,
  ...brokersRoutes,
  ...brokerActivityRoutes,
  ...flowRoutes,
  ...negoRoutes,
  ...usageEventRoutes,
  ...usageSummaryRoutes,
  ...usageEndUserRoutes,
  ...adminUsageRoutes,
  ...consentRoutes,
];
