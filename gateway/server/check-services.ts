import { randomId } from '#shared/ids.ts';
import type { Readiness } from '#shared/operations/readiness.ts';
import type { HealthProbe, SystemState } from '../health-probe.ts';
import { SERVICE_NAMES, type ServiceName } from '../services.ts';

/** Without it no request gets past authentication. Each other service fails the requests that need it alone. */
const NEEDED: ServiceName = 'keys';

/** The gateway is ready while the keys service is; what else is away, its readiness names. */
export function checkServices(readiness: Readiness, health: HealthProbe): void {
  const requireUp = async (what: string, isUp: (state: SystemState) => boolean) => {
    if (!isUp(await health.state({ requestId: randomId('req') }))) throw new Error(what);
  };
  for (const name of SERVICE_NAMES) {
    const check = () => requireUp('does not serve', ({ services }) => services[name] === 'up');
    readiness[name === NEEDED ? 'needs' : 'uses'](name, check);
  }
  readiness.uses('dataset', () =>
    requireUp('none is served', ({ dataLoaded, lostVersion }) => dataLoaded && lostVersion === ''),
  );
  readiness.uses('runs', () =>
    requireUp('no run can complete', ({ runs }) => Object.values(runs).every((state) => state === 'up')),
  );
}
