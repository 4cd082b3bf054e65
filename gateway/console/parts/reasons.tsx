import type { Schemas } from '#gateway/client/index.ts';
import { Waterfall, type Step } from '#console/charts/waterfall.tsx';
import type { FeatureNames } from '#console/session/feature-names.ts';
import { percent } from '#console/words/formats.ts';
import { reasons as reasonWords } from '#console/words/reasons.ts';
import { Facts } from './facts.tsx';
import { Source } from './source.tsx';

type Explanation = Schemas['Explanation'];
type Contributions = Schemas['Contributions'];

/** Features that have a line of their own; the others share one. */
const LINES = 8;
const DECIMALS = 3;

interface ReasonsProps {
  of: Explanation;
  featureName: FeatureNames;
  /** The chance of the average stock, where the page has it. */
  baseRatePct?: number | null | undefined;
}

/** Why a model gives a name its number: in sentences, and as a sum that adds up. */
export function Reasons({ of, featureName, baseRatePct }: ReasonsProps) {
  const words = reasonWords.value;
  const { contributions, reasons, ticker, as_of, dataset_version } = of;
  return (
    <section class="reasons">
      <h3>{words.title}</h3>
      {reasons.length > 0 && (
        <ol>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ol>
      )}
      {contributions === null && <p>{words.nothingLearnt}</p>}
      {contributions !== null && !isSum(contributions) && <p>{words.byClass}</p>}
      {contributions !== null && isSum(contributions) && (
        <figure>
          <figcaption>{words.sum}</figcaption>
          <Waterfall
            caption={`${words.sum}: ${ticker}`}
            columns={{ step: words.step, amount: words.amount }}
            steps={stepsOf(contributions, featureName)}
            decimals={DECIMALS}
          />
          <Facts
            facts={[
              ...(baseRatePct === undefined || baseRatePct === null
                ? []
                : [{ name: words.baseRate, value: percent(baseRatePct) }]),
              { name: words.chance, value: percent(contributions.win_chance_pct) },
              {
                name: words.probability,
                value: percent(contributions.probability),
                note: words.probabilityNote,
              },
            ]}
          />
          <Source datasetVersion={dataset_version} asOf={as_of} />
        </figure>
      )}
    </section>
  );
}

function isSum(contributions: NonNullable<Explanation['contributions']>): contributions is Contributions {
  return 'base_value' in contributions;
}

/** From what is known of nothing to the log-odds: the lines sum to the total. */
export function stepsOf(contributions: Contributions, featureName: FeatureNames): Step[] {
  const words = reasonWords.value;
  const { base_value, features, calibration, log_odds } = contributions;
  const others = features.slice(LINES);
  return [
    { label: words.base, value: base_value, isTotal: true },
    ...features.slice(0, LINES).map(({ name, log_odds }) => ({ label: featureName(name), value: log_odds })),
    ...(others.length > 0
      ? [{ label: words.others(others.length), value: others.reduce((sum, line) => sum + line.log_odds, 0) }]
      : []),
    ...(calibration === null ? [] : [{ label: words.calibration, value: calibration }]),
    ...(log_odds === null ? [] : [{ label: words.total, value: log_odds, isTotal: true }]),
  ];
}
