import { Fleet, type FleetFile } from '#support/fleets/fleet.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';
import { Rest } from '../rest/rest.ts';

/** A fleet of its own to measure, and a key that reaches no rate limit. */
export interface Stage {
  fleet: Fleet;
  /** `fleet.json` as it was when everything was ready. */
  file: FleetFile;
  keyId: string;
  key: string;
  rest: Rest;
}

/** Starts a fleet, does the work on it and stops it. With `keepState` its state directory stays. */
export async function withStage<T>(
  env: Record<string, string>,
  work: (stage: Stage) => Promise<T>,
  { keepState = false } = {},
): Promise<T> {
  const fleet = await Fleet.start(env);
  try {
    return await work(await stageOf(fleet));
  } finally {
    await fleet.stop({ keepState });
  }
}

/** @param scopes of its key, separated by commas; every scope of an application unless given */
export async function stageOf(fleet: Fleet, scopes?: string): Promise<Stage> {
  const file = await fleet.file();
  const { id: keyId, key } = await issueKey(fleet.stateDir, scopes);
  return { fleet, file, keyId, key, rest: new Rest(file.base_url, key) };
}
