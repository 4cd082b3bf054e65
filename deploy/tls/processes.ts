import { SERVICE_NAMES } from '#services/service-table.ts';

/** The other names under which a process is called: a certificate is not valid for a name that it lacks. */
export const OTHER_NAMES: Record<string, string[]> = { 'market-data': ['market-data-operator'] };

/** Names of the processes in certificates, by which services identify their callers. `operator` is the command line. */
export const PROCESSES = ['gateway', ...SERVICE_NAMES, 'operator'];
