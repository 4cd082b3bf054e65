import type { Job, Schemas } from '#client/index.ts';
import { linkTo } from '#console/browser/routing.ts';
import { Curve, shareInterval } from '#console/charts/curve.tsx';
import { Facts } from '#console/parts/facts.tsx';
import { Figure } from '#console/parts/figures/figure.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { Source } from '#console/parts/source.tsx';
import { client } from '#console/session/session.ts';
import { fixed, number, percent } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { say } from './words.ts';

const JOBS = 100;
/** This model is not trained, so it has no quality figures. */
const WITHOUT_LEARNING = 'confluence_filter';

type Trained = Schemas['LearntModel'];

/** The quality that each model measured in its newest run, on days that it was not trained on. */
export function OwnWords({ models }: { models: readonly { id: string; name: string }[] }) {
  const runs = useLoading(
    async (signal) => {
      const { jobs } = client.value;
      const recent = await jobs.list({ limit: JOBS, signal });
      // The compact view, which the picks page requests, has no model diagnostics.
      const telling = recent.filter(({ view, result_available }) => view === 'full' && result_available);
      const newest = models.flatMap(({ id }) => telling.find(({ target }) => target === id) ?? []);
      return Promise.all(newest.map(({ job_id }) => jobs.get(job_id, { signal })));
    },
    [client.value],
  );
  return (
    <section class="card">
      <h2>{say.quality}</h2>
      <p>{say.qualityIntro}</p>
      <Loaded of={runs}>
        {(jobs) =>
          models
            .filter(({ id }) => id !== WITHOUT_LEARNING)
            .map((model) => ({ ...model, job: jobs.find(({ target }) => target === model.id) }))
            .toSorted((a, b) => Number(!a.job) - Number(!b.job))
            .map(({ id, name, job }) => {
              const trained = job && trainedModelOf(job);
              return (
                <div key={id}>
                  <h3>{name}</h3>
                  {trained ? (
                    <Quality of={trained} asOf={job.result!.as_of} />
                  ) : (
                    <p>
                      {say.noRun}{' '}
                      <a href={linkTo('run', id)} aria-label={`${say.runIt}: ${name}`}>
                        {say.runIt}
                      </a>
                    </p>
                  )}
                </div>
              );
            })
        }
      </Loaded>
    </section>
  );
}

function Quality({ of, asOf }: { of: Trained; asOf: string }) {
  const { out_of_fold: seen, caution } = of;
  return (
    <>
      {caution && <p class="notice">{caution}</p>}
      <Facts
        facts={[
          [say.auc, percent(seen.auc === null ? null : 100 * seen.auc, 0), say.aucNote],
          [
            say.error,
            fixed(seen.calibration_error === null ? null : 100 * seen.calibration_error, 1),
            say.errorNote,
          ],
          [say.topDecile, percent(seen.top_decile_win_rate_pct)],
          [say.everyone, percent(seen.win_rate_pct)],
        ]}
      />
      <Source datasetVersion={of.dataset_version} asOf={asOf} />
      {seen.reliability.length > 0 && (
        <Figure
          title={say.calibration}
          source={{ datasetVersion: of.dataset_version, asOf }}
          table={{
            rows: seen.reliability,
            keyOf: ({ forecast_pct }) => String(forecast_pct),
            columns: [
              { title: say.forecast, of: ({ forecast_pct }) => percent(forecast_pct) },
              { title: shared.won, isNumber: true, of: ({ won_pct }) => percent(won_pct) },
              {
                title: say.interval,
                isNumber: true,
                of: ({ won_pct, rows }) => {
                  const { low, high } = shareInterval(won_pct, rows);
                  return `${percent(low)} – ${percent(high)}`;
                },
              },
              { title: say.forecasts, isNumber: true, of: ({ rows }) => number(rows) },
            ],
          }}
        >
          <Curve
            label={say.calibration}
            format={(value) => percent(value, 0)}
            points={seen.reliability.map(({ forecast_pct, won_pct, rows }) => ({
              x: forecast_pct,
              y: won_pct,
              ...shareInterval(won_pct, rows),
              weight: rows,
              title: `${percent(forecast_pct)} → ${percent(won_pct)}, ${number(rows)}`,
            }))}
          />
          <p class="hint">{say.calibrationNote}</p>
        </Figure>
      )}
    </>
  );
}

/** The model part of a result. Only the full view of a model that was trained on two classes has it. */
function trainedModelOf({ result }: Job): Trained | undefined {
  if (!result || !('diag' in result) || !('model' in result.diag)) return undefined;
  const { model } = result.diag;
  return model && 'out_of_fold' in model && 'auc' in model.out_of_fold ? (model as Trained) : undefined;
}
