import { FeatureMatrix } from '#quant/learning/feature-matrix.ts';
import { OUTSIDE } from '#quant/universe/candidates.ts';
import { joined, Localised, localised } from '#foundation/text/localised.ts';
import type { Language } from '#foundation/text/languages.ts';
import { toDecimals } from '#foundation/rounded.ts';
import { REQUESTED, type NameTrace, type Shortfall } from '../picks/funnel.ts';
import { BECAUSE } from '../reasons/outside-universe.ts';
import type { Parameter, Parameters } from '../inputs/parameters.ts';
import { winChance } from '../picks/pick-row.ts';
import { contributionLines, explained } from '../reasons/contribution-lines.ts';
import { chanceReasons } from '../reasons/sentences.ts';
import type { Explanation } from './schema.ts';
import type { RunExplanation } from '../picks/run-explanation.ts';

/** Why a name is not in the universe of a run. In English, like failure messages. */
export function whyOutside(explanation: RunExplanation, ticker: string): string {
  const { asOf, positions, unbuyable, outside, requested } = explanation;
  if (positions) return `${ticker} is none of the positions of this run.`;
  if (requested && !requested.includes(ticker))
    return `${ticker} is not among the tickers asked for in this run of ${asOf}.`;
  const isNot = `${ticker} is not in the universe of this run of ${asOf}`;
  if (unbuyable.includes(ticker)) return `${isNot}: it closed at its upper limit, where nobody sells.`;
  // A worker of an earlier version stores no causes.
  if (!outside) return `${isNot}.`;
  const cause = OUTSIDE.find((one) => outside[one].includes(ticker));
  return cause
    ? `${isNot}: ${BECAUSE[cause].in.en}.`
    : `The data of this run, up to ${asOf}, does not have ${ticker}.`;
}

interface QueryOptions {
  language: Language;
  /** Parameters of the run's model. */
  params: Parameters;
  /** The version that the run read. */
  datasetVersion: string;
}

/** Explains how a run judged one name; its ticker is in upper case. Undefined if the name is outside the universe. */
export function explainName(
  explanation: RunExplanation,
  ticker: string,
  { language, params, datasetVersion }: QueryOptions,
): Explanation | undefined {
  const at = explanation.names.findIndex((name) => name.ticker === ticker);
  const trace = explanation.names[at];
  if (!trace) return undefined;
  const { modelId, asOf, steps, notice } = explanation;
  const fell_at = trace.fell?.step ?? null;
  const reached = fell_at === null ? steps.length : steps.indexOf(fell_at);
  return {
    model_id: modelId,
    as_of: asOf,
    ticker,
    picked: fell_at === null,
    place: trace.place,
    fell_at,
    steps: steps.slice(0, reached + 1).map((name, i) => ({ name, passed: i < reached })),
    shortfalls: (trace.fell?.shortfalls ?? []).map((shortfall) => ({
      ...shortfall,
      allowed: Object.entries(shortfall.changes).every(([name, value]) => isAllowed(params[name], value)),
    })),
    message: messageOf(trace).in[language],
    ...reasonsOfName(explanation, at, language),
    notice: notice[language],
    dataset_version: datasetVersion,
  };
}

function reasonsOfName(
  { model, positions }: RunExplanation,
  at: number,
  language: Language,
): Pick<Explanation, 'contributions' | 'reasons'> {
  const position = positions?.[at];
  if (position) {
    const { contributions, reasons } = position;
    return { contributions, reasons: reasons.map((reason) => reason[language]) };
  }
  if (!model) return { contributions: null, reasons: [] };
  const { features, values, chance, baseRate, probability } = model;
  const matrix = new FeatureMatrix(features, chance.length);
  matrix.values.set(values);
  const shown = { ...winChance({ chance: chance[at]!, baseRate }), probability: probability[at]! };
  const contributions = contributionLines(explained(model), matrix, at, shown);
  return {
    contributions,
    reasons: chanceReasons(contributions.features).map((reason) => reason.in[language]),
  };
}

/** Whether a run may be submitted with this value of the parameter. */
function isAllowed(parameter: Parameter | undefined, value: unknown): boolean {
  if (!parameter) return false;
  if (parameter.enum) return parameter.enum.includes(value);
  if (typeof value !== 'number') return true;
  return value >= (parameter.minimum ?? -Infinity) && value <= (parameter.maximum ?? Infinity);
}

function messageOf({ ticker, fell, place }: NameTrace): Localised {
  if (fell?.step === REQUESTED) {
    return new Localised(
      `${ticker} tidak termasuk saham yang diminta lewat tickers.`,
      `${ticker} is not among the tickers asked for.`,
    );
  }
  if (!fell) {
    return new Localised(
      place === null ? `${ticker} termasuk hasil.` : `${ticker} termasuk hasil, pada peringkat ${place}.`,
      place === null ? `${ticker} is in the result.` : `${ticker} is in the result, at place ${place}.`,
    );
  }
  if (fell.shortfalls.length === 0) {
    return new Localised(
      `${ticker} tidak dapat dinilai: lihat alasannya pada skipped.`,
      `${ticker} could not be judged: skipped in the result says why.`,
    );
  }
  const lacks = joined(fell.shortfalls.map(lackOf), '; ').in;
  return new Localised(
    `${ticker} tidak melewati langkah ${fell.step}: ${lacks.id}.`,
    `${ticker} did not pass the step ${fell.step}: ${lacks.en}.`,
  );
}

function lackOf({ param, value, threshold }: Shortfall): Localised {
  if (value === null || threshold === null)
    return new Localised(`dikeluarkan menurut ${param}`, `left out by ${param}`);
  const has = toDecimals(value, 4);
  return localised(
    ({ exact }) => `${param} meminta ${exact(threshold)}, nilainya ${exact(has)}`,
    ({ exact }) => `${param} asks for ${exact(threshold)}, and it has ${exact(has)}`,
  );
}
