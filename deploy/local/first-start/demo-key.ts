import type { OperatorCli } from './operator-cli.ts';
import type { RestClient } from './rest-client.ts';

const SCOPES = 'models:read,models:run,data:read,usage:read';
const REQUESTS_PER_MINUTE = '600';

/** The API key of the demo application: the one known from before while it still works, else a new one. */
export async function ensureDemoKey(
  cli: OperatorCli,
  rest: RestClient,
  known: string | undefined,
  save: (key: string) => void,
): Promise<string> {
  if (known !== undefined && (await rest.withKey(known).status('/api/v1/scopes')) === 200) return known;
  const { secret } = await cli.json<{ secret: string }>(
    ...['keys', 'create', '--name', 'demo', '--scopes', SCOPES, '--rate-limit', REQUESTS_PER_MINUTE],
  );
  save(secret);
  return secret;
}
