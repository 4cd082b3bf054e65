import { methodAt, routesOf } from '#platform/wire/descriptors.ts';
import { CALLED } from '../declarations/called-services.ts';
import type { CostBudget, Send } from '../auth/cost-budget.ts';
import type { Services } from './services.ts';

/** The same services. The calls of routes that cost something are paid from the budget of the key. */
export function paidServices(services: Services, budget: CostBudget): Services {
  const clients = services as unknown as Record<string, Record<string, Send>>;
  const paid = Object.entries(CALLED).flatMap(([service, { definition }]) => {
    const costly = Object.entries<{ path: string }>(definition).filter(([, { path }]) =>
      routesOf(methodAt(path)!).some(({ costs }) => costs),
    );
    if (costly.length === 0) return [];
    const client = clients[service]!;
    const calls = costly.map(([name]) => [name, budget.paying(client[name]!)]);
    return [[service, { ...client, ...Object.fromEntries(calls) }]];
  });
  return { ...services, ...(Object.fromEntries(paid) as Partial<Services>) };
}
