import type { ListPastPicksRequest, ListPastPicksResponse } from '#proto/saring/models/v1/backfills.ts';
import type { ScreenModelRun } from '#proto/saring/screens/v1/screens.ts';
import { requireScope } from '../auth/authenticate.ts';
import type { Backend } from '../backend/backend.ts';
import type { ClientCall } from '../request/client-call.ts';

/** Which past days are asked for. */
type Days = Pick<ListPastPicksRequest, 'from' | 'to' | 'step' | 'limit' | 'horizon_days'>;

/**
 * The response of the screens service to what may follow a model. The service then says which run has the past picks, and is asked
 * again with those of a backfill of the calling key.
 * @throws ServiceError insufficient_scope for a key that may read no backfills
 */
export async function withPastPicks<R extends { model_run?: ScreenModelRun | undefined }>(
  ask: (past_picks?: ListPastPicksResponse) => Promise<R>,
  days: Days,
  call: ClientCall,
  { services }: Backend,
): Promise<R> {
  const response = await ask();
  if (!response.model_run) return response;
  requireScope('models:run', call.apiKey);
  const { model_id, params } = response.model_run;
  return ask(
    await services.backfills.listPastPicks({ api_key_id: call.apiKeyId, model_id, params, ...days }, call),
  );
}
