import { ServiceError } from '#foundation/errors/service-error.ts';

export function rejected(message: string): ServiceError {
  return new ServiceError('import_rejected', message);
}
