import { runServices } from '#shared/process/run-services.ts';
import { service } from './service.ts';

await runServices(service);
