import type { Schemas } from '#client/index.ts';
import { Waterfall, type Step } from '#console/charts/waterfall.tsx';
import { client } from '#console/session/session.ts';
import { fixed, percent } from '#console/words/formats.ts';
import { inLanguages } from '#console/words/in-languages.ts';
import { language } from '#console/words/language.ts';
import { Facts } from '../facts.tsx';
import { useLoading, type Loading } from '../loading.tsx';
import { Source } from '../source.tsx';

const say = inLanguages({
  title: ['Why this number', 'Mengapa angka ini'],
  sum: ['How the chance comes about', 'Bagaimana peluangnya terbentuk'],
  step: ['What the model looked at', 'Yang dilihat model'],
  amount: ['Log-odds', 'Log-odds'],
  base: ['Before anything about the stock counts', 'Sebelum apa pun tentang sahamnya dihitung'],
  others: (count: number) => [`${count} other features together`, `${count} ciri lain bersama-sama`],
  calibration: [
    'Calibration on days it had not learnt from',
    'Kalibrasi pada hari-hari yang tidak ikut dipelajari',
  ],
  total: ['Log-odds of winning', 'Log-odds menang'],
  chance: ['Chance to reach the target before the stop', 'Peluang mencapai target sebelum batas kerugian'],
  baseRate: ['Usual: the average liquid stock', 'Biasanya: saham likuid rata-rata'],
  probability: [
    'Probability: the two compared over twenty trades',
    'Probabilitas: keduanya dibandingkan dalam dua puluh transaksi',
  ],
  probabilityNote: [
    'no chance: 50 is as likely as the average liquid stock',
    'bukan peluang: 50 berarti setara saham likuid rata-rata',
  ],
  untrained: [
    'This model learns nothing: its number is a count, and there is no sum behind it.',
    'Model ini tidak belajar: angkanya hitungan, tanpa penjumlahan di baliknya.',
  ],
  byClass: [
    'This model weighs several outcomes at once; its reasons are the sentences above.',
    'Model ini menimbang beberapa kemungkinan sekaligus; alasannya adalah kalimat di atas.',
  ],
});

type Explanation = Schemas['Explanation'];
type Contributions = Schemas['Contributions'];

/** Features with a line of their own. The others share one. */
const LINES = 8;

type FeatureNames = (feature: string) => string;

/** What a run says about a stock, with the names of the features that it used. */
interface Explained {
  explanation: Explanation;
  featureName: FeatureNames;
}

let known: Promise<Map<string, { id: string; en: string }>> | undefined;

/** Display names of features in the language of the page, loaded once. A feature without one keeps its technical name. */
async function featureNames(): Promise<FeatureNames> {
  known ??= client
    .peek()
    .models.features()
    .then((features) => new Map(features.map((feature) => [feature.name, feature])));
  try {
    const words = await known;
    return (feature) => words.get(feature)?.[language.value] ?? feature;
  } catch (failure) {
    known = undefined;
    throw failure;
  }
}

export function useExplanation(jobId: string, ticker: string): Loading<Explained> {
  return useLoading(
    async (signal) => ({
      explanation: await client.value.jobs.explain(jobId, ticker, { signal }),
      featureName: await featureNames(),
    }),
    [jobId, ticker, client.value],
  );
}

/** Why a model gives a stock its number: in sentences, and as a sum. */
export function Reasons({ of: { explanation, featureName } }: { of: Explained }) {
  const { contributions, reasons, ticker, as_of, dataset_version } = explanation;
  return (
    <section class="reasons">
      <h3>{say.title}</h3>
      {reasons.length > 0 && (
        <ol>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ol>
      )}
      {contributions === null && <p>{say.untrained}</p>}
      {contributions !== null && !isSum(contributions) && <p>{say.byClass}</p>}
      {contributions !== null && isSum(contributions) && (
        <figure>
          <figcaption>{say.sum}</figcaption>
          <Waterfall
            caption={`${say.sum}: ${ticker}`}
            columns={{ name: say.step, value: say.amount }}
            steps={stepsOf(contributions, featureName)}
          />
          <Facts
            facts={[
              [say.chance, percent(contributions.win_chance_pct)],
              [say.baseRate, percent(contributions.base_rate_pct)],
              [say.probability, fixed(contributions.probability, 1), say.probabilityNote],
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

/** The steps from the base value to the log-odds. The lines add up to the total. */
function stepsOf(contributions: Contributions, featureName: FeatureNames): Step[] {
  const { base_value, features, calibration, log_odds } = contributions;
  const others = features.slice(LINES);
  return [
    { label: say.base, value: base_value, isTotal: true },
    ...features.slice(0, LINES).map(({ name, log_odds }) => ({ label: featureName(name), value: log_odds })),
    ...(others.length > 0
      ? [{ label: say.others(others.length), value: others.reduce((sum, line) => sum + line.log_odds, 0) }]
      : []),
    ...(calibration === null ? [] : [{ label: say.calibration, value: calibration }]),
    ...(log_odds === null ? [] : [{ label: say.total, value: log_odds, isTotal: true }]),
  ];
}
