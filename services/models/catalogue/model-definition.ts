export type ParameterType = 'integer' | 'float' | 'boolean' | 'string' | 'date' | 'array';

/** One parameter of a model: the contract's schema entry, and what the contract says of array items in words. */
export interface ParameterDefinition {
  type: ParameterType;
  default: unknown;
  min?: number;
  max?: number;
  options?: readonly unknown[];
  /** What it does, in Bahasa Indonesia. */
  description: string;
  /** Arrays only: checks one item and returns it as the model receives it. */
  item?: ItemRule;
}

/** Returns the item to use, or reports what is wrong with it: where within the item, and in words. */
export type ItemRule = (
  item: unknown,
  wrong: (path: (string | number)[], problem: string) => void,
) => unknown;

export type View = 'full' | 'compact';

/** A published model. */
export interface ModelDefinition {
  id: string;
  name: string;
  category: 'swing' | 'recovery';
  version: string;
  views: readonly View[];
  params: Record<string, ParameterDefinition>;
  /** The model in plain words, in Bahasa Indonesia. */
  explanation: { what: string; when: string; how: string };
}
