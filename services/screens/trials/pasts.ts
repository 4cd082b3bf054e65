import type { JudgeScreenResponse } from '#proto/saring/market_data/v1/fields.ts';
import type { GetScreenPastRequest, GetScreenPastResponse } from '#proto/saring/screens/v1/screens.ts';
import type { Call } from '#platform/grpc/call-context.ts';
import { missingFromPast } from '#quant/universe/missing-past.ts';
import { LANGUAGES, type Language } from '#foundation/text/languages.ts';
import type { Evaluations } from '../evaluation/evaluations.ts';
import { isByModel, requireRules, type ModelScreens } from '../saved/model-screens.ts';
import type { Screens } from '../saved/screens.ts';
import type { ScreenRow } from '../store/screen-store.ts';
import { triedModel, type Tried, type Trials } from './trials.ts';

interface PastsDependencies {
  screens: Pick<Screens, 'get'>;
  models: Pick<ModelScreens, 'pastRunOf'>;
  evaluations: Pick<Evaluations, 'judge' | 'judgePicks'>;
  trials: Pick<Trials, 'judge'>;
}

type PastRequest = GetScreenPastRequest & { language?: Language | undefined };

/** What came of the picks of a screen, and which days these are of. */
interface JudgedPast {
  screen: Pick<ScreenRow, 'screen_id' | 'version'>;
  tried: Tried;
  past: JudgeScreenResponse;
  step: string;
  backfill_id?: string;
}

/** The answer while the past picks of a run are still to be asked for: it has nothing but that run. */
const UNJUDGED = { past: undefined, trials: undefined, verdict: '', verdict_text: '', step: '' };

/** Judges screens by what came of their past picks. Each is a trial of the caller. */
export class Pasts {
  readonly #deps: PastsDependencies;

  constructor(deps: PastsDependencies) {
    this.#deps = deps;
  }

  /** @throws ServiceError screen_not_found, unsupported_for_model_screen, and as {@link Evaluations.judge} */
  async judge(request: PastRequest, call: Call): Promise<GetScreenPastResponse> {
    const { screens, models, evaluations } = this.#deps;
    const screen = await screens.get(request.screen_id, request);
    if (!isByModel(screen)) {
      const ofRules = requireRules(screen, '');
      const past = await evaluations.judge(ofRules, request, call);
      return this.#inLightOfTrials({ screen, tried: ofRules, past, step: 'day' }, request);
    }
    const { past_picks: picks } = request;
    const { screen_id, version } = screen;
    if (!picks) return { screen_id, version, ...UNJUDGED, model_run: await models.pastRunOf(screen, call) };
    const past = await evaluations.judgePicks(picks, request, call);
    const { step, backfill_id } = picks;
    const tried = triedModel(screen.model_id, picks);
    return this.#inLightOfTrials({ screen, tried, past, step, backfill_id }, request);
  }

  async #inLightOfTrials(
    { screen: { screen_id, version }, tried, past, ...days }: JudgedPast,
    request: PastRequest,
  ): Promise<GetScreenPastResponse> {
    const { language = LANGUAGES[0] } = request;
    const { because, ...judged } = await this.#deps.trials.judge(tried, past, request);
    return {
      screen_id,
      version,
      past,
      ...judged,
      verdict_text: because.in[language],
      missing_text: missingFromPast(past.market, past.lacks_days)?.in[language],
      ...days,
    };
  }
}
