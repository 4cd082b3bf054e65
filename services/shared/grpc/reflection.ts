import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadFileDescriptorSetFromBuffer } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';

const DESCRIPTOR_SET = fileURLToPath(new URL('../../../proto/gen/descriptor.binpb', import.meta.url));

/** Server reflection over every service of the project, comments included, from what `make proto` built. */
export function reflection(): ReflectionService {
  return new ReflectionService(
    loadFileDescriptorSetFromBuffer(readFileSync(DESCRIPTOR_SET), { keepCase: true }),
  );
}
