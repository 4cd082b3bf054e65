import type { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import { Jobs } from './jobs.ts';
import { Runs, type RunsDependencies } from './runs.ts';
import { runsHandlers } from './server.ts';
import { unavailable } from './unavailable.ts';

type RunsHandlers = Handlers<RunsServiceService>;

/**
 * Runs in a process that has not found NATS since its start: they are accepted, so that no caller is left in doubt
 * about one which this process' predecessor may have written, and read. The sweeper sends and records them once NATS is
 * there.
 */
export function handlersWithoutNats(
  deps: Pick<RunsDependencies, 'store' | 'keys' | 'submissions' | 'dates' | 'newId'>,
  stopping: AbortSignal,
): RunsHandlers {
  const later = async () => 'away' as const;
  const never = () => {
    throw unavailable();
  };
  const runs = new Runs({
    ...{ ...deps, requests: { send: later }, usage: { record: later } },
    ...{ watchers: { nextUpdate: never }, cancellations: { cancel: never } },
  });
  const live = { find: async () => undefined, jobs: async () => new Set<string>(), artefact: never };
  return runsHandlers({ runs, jobs: new Jobs({ live, clock: deps.dates.clock }), live, stopping });
}

/** Handlers that others can take the place of while calls come in. */
export class ReplaceableHandlers {
  readonly handlers: RunsHandlers;
  #present: RunsHandlers;

  constructor(first: RunsHandlers) {
    this.#present = first;
    const names = Object.keys(first) as (keyof RunsHandlers)[];
    const delegates = names.map((name) => [
      name,
      (...call: Parameters<RunsHandlers[typeof name]>) => this.#present[name](...(call as [never, never])),
    ]);
    this.handlers = Object.fromEntries(delegates) as RunsHandlers;
  }

  replaceBy(next: RunsHandlers): void {
    this.#present = next;
  }
}
