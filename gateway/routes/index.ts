import { brokerActivityRoutes } from './data-broker-activity.ts';
import { brokersRoutes } from './data-brokers.ts';
import { compareRoutes } from './data-compare.ts';
import { flowRoutes } from './data-flows.ts';
import { negoRoutes } from './data-nego.ts';
import { overviewRoutes } from './data-overview.ts';
import { turningPointRoutes } from './data-turning-points.ts';
import { dataRoutes } from './data.ts';
import { healthRoutes } from './health.ts';
import { jobRoutes } from './jobs.ts';
import { modelRoutes } from './models.ts';
import { runRoutes } from './runs.ts';
import { scopeRoutes } from './scopes.ts';
import { usageRoutes } from './usage.ts';

/** Every endpoint, in the order of the reference. */
export const routes = [
  ...healthRoutes,
  ...scopeRoutes,
  ...modelRoutes,
  ...runRoutes,
  ...jobRoutes,
  ...dataRoutes,
  ...compareRoutes,
  ...overviewRoutes,
  ...turningPointRoutes,
  ...brokersRoutes,
  ...brokerActivityRoutes,
  ...flowRoutes,
  ...negoRoutes,
  ...usageRoutes,
];
