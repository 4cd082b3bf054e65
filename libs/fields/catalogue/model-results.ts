import type { Model } from '#models/model/model.ts';
import { MODELS } from '#models/registry.ts';
import { field, type Field, type Words } from '../values/field.ts';
import type { Figure } from '../values/model-result-days.ts';
import type { Stock } from '../values/stock.ts';

type Named = Pick<Model, 'id' | 'name' | 'picks' | 'learns'>;

interface Declared {
  type: 'number' | 'boolean';
  unit: 'percent' | 'none';
  label: (name: string) => Words;
  formula: string;
  nullMeans: Words;
}

const DAILY_RUN = "in the model's daily run of that day, the operator's run with default parameters";
/** Nothing is carried forward, because a result belongs to the data of its day. */
const NOT_SCORED: Words = {
  id: 'Belum ada hasil harian model untuk hari itu (hasil hari lain tidak dipakai), atau model tidak menilai saham itu.',
  en: 'The model has no daily result of that day, and none of another day stands in for it, or it did not score the stock.',
};

const FIGURES: Record<Figure, Declared> = {
  probability: {
    type: 'number',
    unit: 'percent',
    label: (name) => ({ id: `Probabilitas menurut ${name}`, en: `Probability in ${name}` }),
    formula: `probability ${DAILY_RUN}: 50 is the average liquid stock`,
    nullMeans: NOT_SCORED,
  },
  rank: {
    type: 'number',
    unit: 'none',
    label: (name) => ({ id: `Peringkat menurut ${name}`, en: `Rank in ${name}` }),
    formula: `place, 1 for the best, among the stocks that pass every step ${DAILY_RUN}`,
    nullMeans: {
      id: `${NOT_SCORED.id} Saham yang tidak lolos setiap langkah model tidak mempunyai peringkat.`,
      en: `${NOT_SCORED.en} A stock that does not pass every step of the model has no rank.`,
    },
  },
  picked: {
    type: 'boolean',
    unit: 'none',
    label: (name) => ({ id: `Dipilih oleh ${name}`, en: `Picked by ${name}` }),
    formula: `whether the stock is picked ${DAILY_RUN}`,
    nullMeans: NOT_SCORED,
  },
};

/** The fields of a model: none of one that takes positions, and no probability of one that learns none. */
export function fieldsOfModel({ id, name, picks, learns }: Named): Field[] {
  if (!picks) return [];
  const figures: Figure[] = [...(learns ? (['probability'] as const) : []), 'rank', 'picked'];
  return figures.map((figure) => {
    const { label, ...declared } = FIGURES[figure];
    return field({
      ...declared,
      name: `${id}.${figure}`,
      label: label(name),
      source: `Daily run of ${id}, see GET /api/v1/models/${id}`,
      daysNeeded: 0,
      readsDays: 1,
      needs: ['model_results'],
      of: (stock) => figureOnEachDay(stock, id, figure),
    });
  });
}

function figureOnEachDay(stock: Stock, modelId: string, figure: Figure): Float64Array {
  const { panel, ticker, inputs } = stock;
  const { day } = panel.columns;
  const results = inputs.modelResults?.get(modelId);
  return stock.rows((row) => results?.at(figure, ticker, day[row]!) ?? NaN);
}

/** What each model that picks stocks said on a day. A new model has its fields by being in the registry. */
export const MODEL_RESULT_FIELDS: readonly Field[] = MODELS.flatMap(fieldsOfModel);

const MODEL_OF: ReadonlyMap<string, string> = new Map(
  MODELS.flatMap((model) => fieldsOfModel(model).map(({ name }) => [name, model.id])),
);

/** The ids of the models whose results are among these fields, each once. */
export function modelsOf(names: Iterable<string>): string[] {
  return [...new Set([...names].flatMap((name) => MODEL_OF.get(name) ?? []))];
}
