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
  ...usageRoutes,
];
