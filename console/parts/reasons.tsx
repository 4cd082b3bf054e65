import type { Schemas } from '#client/index.ts';
import { Waterfall, type Step } from '#console/charts/waterfall.tsx';
import type { FeatureNames } from '#console/session/feature-names.ts';
import { fixed, percent } from '#console/words/formats.ts';
import { inLanguages } from '#console/words/in-languages.ts';
import { Facts } from './facts.tsx';
import { Source } from './source.tsx';

const words = inLanguages({
  en: {
    title: 'Why this number',
    sum: 'How the chance comes about',
    step: 'What the model looked at',
    amount: 'Log-odds',
    base: 'Before anything about the stock counts',
    others: (count: number) => `${count} other features together`,
    calibration: 'Calibration on days it had not learnt from',
    total: 'Log-odds of winning',
    chance: 'Chance to reach the target before the stop',
    baseRate: 'Usual: the average liquid stock',
    probability: 'Probability: the two compared over twenty trades',
    probabilityNote: 'no chance: 50 is as likely as the average liquid stock',
    nothingLearnt: 'This model learns nothing: its number is a count, and there is no sum behind it.',
    byClass: 'This model weighs several outcomes at once; its reasons are the sentences above.',
  },
  id: {
    title: 'Mengapa angka ini',
    sum: 'Bagaimana peluangnya terbentuk',
    step: 'Yang dilihat model',
    amount: 'Log-odds',
    base: 'Sebelum apa pun tentang sahamnya dihitung',
    others: (count: number) => `${count} ciri lain bersama-sama`,
    calibration: 'Kalibrasi pada hari-hari yang tidak ikut dipelajari',
    total: 'Log-odds menang',
    chance: 'Peluang mencapai target sebelum batas kerugian',
    baseRate: 'Biasanya: saham likuid rata-rata',
    probability: 'Probabilitas: keduanya dibandingkan dalam dua puluh transaksi',
    probabilityNote: 'bukan peluang: 50 berarti setara saham likuid rata-rata',
    nothingLearnt: 'Model ini tidak belajar: angkanya hitungan, tanpa penjumlahan di baliknya.',
    byClass: 'Model ini menimbang beberapa kemungkinan sekaligus; alasannya adalah kalimat di atas.',
  },
});

type Explanation = Schemas['Explanation'];
type Contributions = Schemas['Contributions'];

/** Features with a line of their own. The others share one. */
const LINES = 8;
const DECIMALS = 3;

interface ReasonsProps {
  of: Explanation;
  featureName: FeatureNames;
}

/** Why a model gives a stock its number: in sentences, and as a sum. */
export function Reasons({ of, featureName }: ReasonsProps) {
  const say = words.value;
  const { contributions, reasons, ticker, as_of, dataset_version } = of;
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
      {contributions === null && <p>{say.nothingLearnt}</p>}
      {contributions !== null && !isSum(contributions) && <p>{say.byClass}</p>}
      {contributions !== null && isSum(contributions) && (
        <figure>
          <figcaption>{say.sum}</figcaption>
          <Waterfall
            caption={`${say.sum}: ${ticker}`}
            columns={{ step: say.step, amount: say.amount }}
            steps={stepsOf(contributions, featureName)}
            decimals={DECIMALS}
          />
          <Facts
            facts={[
              { name: say.chance, value: percent(contributions.win_chance_pct) },
              { name: say.baseRate, value: percent(contributions.base_rate_pct) },
              {
                name: say.probability,
                value: fixed(contributions.probability, 1),
                note: say.probabilityNote,
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

/** The steps from the base value to the log-odds. The lines add up to the total. */
function stepsOf(contributions: Contributions, featureName: FeatureNames): Step[] {
  const say = words.value;
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
