/** Classes of brokers, in the order in which they are drawn. */
export const CLASSES = ['foreign', 'bandar', 'retail'] as const;
