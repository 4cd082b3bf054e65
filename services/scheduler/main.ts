import { runServices } from '#platform/process/run-services.ts';
import { service } from './service.ts';

await runServices(service);
