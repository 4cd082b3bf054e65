import type { CachedModel, ModelCache } from './model-cache.ts';

/** A cache of its own, which keeps every model. */
export function keptModels(): ModelCache {
  const models = new Map<string, CachedModel>();
  return {
    find: async <L extends CachedModel>(key: string) => models.get(key) as L | undefined,
    keep: (key, model) => void models.set(key, model),
  };
}
