import type { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import type { ServiceMethods } from '#platform/grpc/method-types.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { Jobs } from './runs/jobs.ts';
import { Runs, type RunsDependencies } from './runs/runs.ts';
import { runsHandlers } from './server.ts';
import { unavailable } from './store/unavailable.ts';

/**
 * Run handlers for a process that has not reached NATS since it started. They read runs and accept submissions, so that
 * a caller who repeats one learns whether the previous process wrote its run. The sweeper publishes the runs once NATS
 * is available.
 */
export function handlersWithoutNats(
  deps: Pick<RunsDependencies, 'store' | 'dates' | 'testDays' | 'stocks' | 'newId'>,
  stopping: AbortSignal,
): Handlers<RunsServiceService> {
  const later = async () => 'unavailable' as const;
  const never = () => {
    throw unavailable();
  };
  const runs = new Runs({
    ...deps,
    turns: { send: later },
    usage: { record: later },
    watchers: { nextUpdate: never },
    cancellations: { cancel: never },
  });
  const live = { find: async () => undefined, jobs: async () => new Set<string>(), artefact: never };
  // Evidence stands beside results, and there are none.
  const evidence = { of: () => undefined };
  // No result is cached, so the time since a run ended decides nothing.
  const jobs = new Jobs({ live, evidence, clock: deps.dates.clock, resultRetentionMs: 0 });
  return runsHandlers({ runs, jobs, live, stopping });
}

/**
 * Handlers of what cannot be done without NATS: backfills need the streams from their first day on. Results cannot be erased, and an
 * export without them would not be whole.
 */
export function unavailableHandlers<S extends ServiceMethods>(service: S): Handlers<S> {
  const never = () => {
    throw unavailable();
  };
  return Object.fromEntries(Object.keys(service).map((name) => [name, never])) as unknown as Handlers<S>;
}

type AnyHandlers = Record<string, (...call: never[]) => unknown>;

/** Handlers that can be replaced while calls come in. */
export class ReplaceableHandlers<H extends object> {
  readonly handlers: H;
  #present: H;

  constructor(first: H) {
    this.#present = first;
    const delegates = Object.keys(first).map((name) => [
      name,
      (...call: never[]) => (this.#present as AnyHandlers)[name]!(...call),
    ]);
    this.handlers = Object.fromEntries(delegates) as H;
  }

  replaceBy(next: H): void {
    this.#present = next;
  }
}
