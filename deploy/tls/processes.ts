/** Names of the processes in certificates, by which services identify their callers. `operator` is the command line. */
export const PROCESSES = [
  'gateway',
  'keys',
  'market-data',
  'models',
  'model-worker',
  'usage',
  'consent',
  'scheduler',
  'operator',
];
