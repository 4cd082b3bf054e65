import { toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { ReflectionService } from '@grpc/reflection';
import { descriptorSet } from '../wire/descriptors.ts';

/**
 * Server reflection over these services (by full name) from what `make proto` built. The files go out as they are:
 * proto-loader's own way of loading the set would leave out comments, imports and which fields are optional.
 */
export function reflection(services: string[]): ReflectionService {
  const { file } = descriptorSet();
  const fileDescriptorProtos = file.map((proto) => Buffer.from(toBinary(FileDescriptorProtoSchema, proto)));
  // Of a package definition the service reads nothing but these.
  const definition = { descriptorSet: { fileDescriptorProtos } } as unknown as PackageDefinition;
  return new ReflectionService(definition, { services });
}

type PackageDefinition = ConstructorParameters<typeof ReflectionService>[0];
