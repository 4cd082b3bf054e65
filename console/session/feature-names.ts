import { language } from '#console/words/language.ts';
import { client } from './session.ts';

export type FeatureNames = (feature: string) => string;

let known: Promise<Map<string, { id: string; en: string }>> | undefined;

/** Display names of features in the language of the page, loaded once. A feature without one keeps its technical name. */
export async function featureNames(): Promise<FeatureNames> {
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
