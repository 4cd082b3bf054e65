import { FACT_GROUP, FIELD_GROUPS } from '#fields/catalogue/catalogue.ts';
import { modelsOf } from '#fields/catalogue/model-results.ts';
import type { Field as Declared } from '#fields/values/field.ts';
import type { Field, ListFieldsResponse } from '#proto/saring/market_data/v1/fields.ts';
import type { Language } from '#foundation/text/languages.ts';
import type { KnownFields } from './field-catalogue.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

/** The catalogue of fields, as the dataset has them. Facts come last. */
export function fieldsOf(loaded: LoadedDataset, known: KnownFields, language: Language): ListFieldsResponse {
  const facts = [...known.fields.values()].filter(({ needs }) => needs.includes('facts'));
  const fields = [...FIELD_GROUPS, { name: FACT_GROUP, fields: facts }].flatMap(({ name: group, fields }) =>
    fields.map((declared) => listedField(declared, { group, loaded, known, language })),
  );
  return { fields, count: fields.length, dataset_version: loaded.dataset.version };
}

function listedField(
  declared: Declared,
  listing: { group: string; loaded: LoadedDataset; known: KnownFields; language: Language },
): Field {
  const { group, loaded, known, language } = listing;
  const { name, type, unit, label, formula, note, source, nullMeans, daysNeeded } = declared;
  return {
    name,
    group,
    type,
    unit: unit === 'none' ? undefined : unit,
    label: label[language],
    formula: note ? `${formula}. ${note[language]}` : formula,
    source,
    days_needed: daysNeeded,
    null_means: nullMeans[language],
    since: firstDayOf(declared, loaded, known),
    values: [...(declared.values ?? valuesIn(name, loaded))],
  };
}

/** The first day on which a stock can have a value. */
function firstDayOf(
  { name, daysNeeded, since = '', needs }: Declared,
  { dataset, panel }: LoadedDataset,
  { resultsOf }: KnownFields,
): string | undefined {
  const [modelId] = modelsOf([name]);
  const firstResult = modelId === undefined ? '' : resultsOf(dataset.kind, modelId)?.first_day;
  if (firstResult === undefined) return undefined;
  const enoughDays = panel.columns.dates[Math.max(0, daysNeeded - 1)];
  const restsOnBrokers = needs.includes('broker_days');
  if (enoughDays === undefined || (restsOnBrokers && dataset.broker_rows === 0)) return undefined;
  const from = [enoughDays, since, firstResult, restsOnBrokers ? dataset.broker_first_date : '']
    .sort()
    .at(-1)!;
  return panel.columns.dates.find((date) => date >= from);
}

/** The values of a text field that depend on the dataset, where they are few. */
function valuesIn(name: string, { panel }: LoadedDataset): string[] {
  const { sector, board } = panel.columns.listing;
  const of = name === 'sector' ? sector : name === 'board' ? board : [];
  return [...new Set(of.filter((value) => value !== null))].sort();
}
